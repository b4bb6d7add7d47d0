"""Who may come in: host names, origins, keys, rates and numbers of clients."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

COOKIE = "referee_key"
MOST_CLIENTS = 64
MOST_CLIENTS_OF_ONE = 12
# A page loads about twenty files at once, and then one picture now and then.
REQUESTS_PER_S, REQUESTS_AT_ONCE = 40.0, 160.0
# Fast fingers make ten presses a second; the rest is answers to pings.
MESSAGES_PER_S, MESSAGES_AT_ONCE = 20.0, 60.0
# What reaches the match: of one player's page, of one device, and of all pages together. Eight
# people who all press as fast as they can at the end of a hand stay below it; judging each word
# costs a millisecond.
SAID_PER_S, SAID_AT_ONCE = 5.0, 20.0
DEVICE_SAID_PER_S, DEVICE_SAID_AT_ONCE = 8.0, 32.0
ALL_SAID_PER_S, ALL_SAID_AT_ONCE = 20.0, 100.0
MOST_ADDRESSES = 1000


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets in the links: the players' opens the page, the operator's everything on it."""

    player: str
    operator: str


def new_keys() -> Keys:
    """Return fresh keys of 128 random bits."""
    return Keys(secrets.token_urlsafe(16), secrets.token_urlsafe(16))


@dataclass(slots=True)
class Bucket:
    """A rate: so many a second, and so many at once. Changed by the server's thread alone."""

    per_s: float
    at_once: float
    left: float = field(init=False)
    at_s: float = field(init=False)

    def __post_init__(self) -> None:
        """Begin full."""
        self.left, self.at_s = self.at_once, time.monotonic()

    def wait_s(self) -> float:
        """Take one; returns how long to wait until it is there, 0 if it is there already."""
        now_s = time.monotonic()
        self.left = min(self.at_once, self.left + (now_s - self.at_s) * self.per_s)
        self.at_s = now_s
        self.left -= 1
        return max(0.0, -self.left / self.per_s)

    def give_back(self) -> None:
        """Put back what was taken but not used."""
        self.left += 1


def take_of_all(rates: Sequence[Bucket]) -> bool:
    """Take one of each rate; where one has none left nothing is taken of any."""
    for count, rate in enumerate(rates, 1):
        if rate.wait_s() > 0:
            for taken in rates[:count]:
                taken.give_back()
            return False
    return True


def is_here(peer: str) -> bool:
    """Whether an address is this machine's own."""
    address = _address(peer)
    return address is not None and address.is_loopback


class Door:
    """Decides who may come in. One a server; used by its thread alone."""

    def __init__(self, keys: Keys | None) -> None:
        """With `keys` the page is open to the network, without it to this machine alone."""
        self._keys = keys
        self._rates: dict[str, Bucket] = {}
        self._names = frozenset({"localhost", *_own_names()})

    def is_own_host(self, host: str | None) -> bool:
        """Whether a Host header names this machine: else a foreign page poses as ours.

        An address in digits cannot be made to point here by somebody else's name server.
        """
        name = _host_name(host)
        if name is None:
            return False
        if name in self._names:
            return True
        address = _address(name)
        return address is not None and (self._keys is not None or address.is_loopback)

    def is_own_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request comes from our own page; a program that is no browser sends none."""
        if origin is None:
            return True
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and parts.netloc == host

    def level(self, peer: str, given: str | None) -> str | None:
        """Return what a client may be, `operator` or `player`; None: it may not come in."""
        if self._keys is None or is_here(peer):
            return "operator"
        if given is None:
            return None
        if hmac.compare_digest(given.encode(), self._keys.operator.encode()):
            return "operator"
        if hmac.compare_digest(given.encode(), self._keys.player.encode()):
            return "player"
        return None

    def is_too_fast(self, peer: str) -> bool:
        """Whether an address asks for more than its share just now."""
        if peer not in self._rates and len(self._rates) >= MOST_ADDRESSES:
            self._rates.clear()
        rate = self._rates.setdefault(peer, Bucket(REQUESTS_PER_S, REQUESTS_AT_ONCE))
        if rate.wait_s() > 0:
            rate.give_back()
            return True
        return False


def key_of(query: Mapping[str, str], cookies: Mapping[str, str], bearer: str | None) -> str | None:
    """Return the key that a request brings: in its address, its header or its cookie."""
    if bearer is not None and bearer.startswith("Bearer "):
        return bearer.removeprefix("Bearer ")
    return query.get("key") or cookies.get(COOKIE)


def _host_name(host: str | None) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname if host else None
    except ValueError:
        return None


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _own_names() -> tuple[str, ...]:
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local")


def lan_address() -> str:
    """Return the address under which others in the network reach this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the kernel only says which of our addresses it would use.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
