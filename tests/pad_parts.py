"""What the tests of the pads share: boards to talk with, in virtual time and behind real ports."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from referee.notation import read_matches
from referee.pads.clock import Stamp
from referee.pads.link import Boards, News
from referee.pads.paths import SOUND, Damage, Path
from referee.pads.profile import Coupling, PadProfile, Profile, address_of
from referee.pads.protocol import Hit
from referee.pads.rehearsal import Rehearsal
from referee.pads.told import Felt, Linked
from referee.pads.twin import Crystal, Twin
from referee.values import Match

MS, S = 1_000_000, 1_000_000_000
UID = bytes.fromhex("0011223344556677")
BOARD = UID.hex()
# Far longer than anything here takes: only a hang reaches it.
HANG_S = 60.0


def rehearsal(
    seed: int = 1,
    kind: str = "16u2",
    ppm: float = 120.0,
    damage: Damage = SOUND,
    uid: bytes = UID,
    stalls: tuple[tuple[int, int], ...] = (),
) -> Rehearsal:
    """A board on a cable, switched on at time 0 and opened a moment later."""
    twin = Twin(uid, random.Random(seed), Crystal(ppm, 0.1))
    path = Path(kind, random.Random(seed + 1), damage)
    return Rehearsal(twin, path, random.Random(seed + 2), 5 * MS, stalls)


def states(told: list[object]) -> list[str]:
    """The states that a link went through."""
    return [one.state for one in told if isinstance(one, Linked)]


def wait_for(boards: Boards, wanted: Callable[[News], bool]) -> list[News]:
    """Everything that boards told up to the wanted news; fails if it never comes."""
    told, end_s = [], time.monotonic() + HANG_S
    while time.monotonic() < end_s:
        news = boards.wait(0.1)
        if news is not None:
            told.append(news)
            if wanted(news):
                return told
    raise AssertionError(f"it never came; told was {[one.told for one in told]}")


def is_live(news: News) -> bool:
    """Whether the news is that a board is ready."""
    return isinstance(news.told, Linked) and news.told.state == "LIVE"


SPOTS = ("mid", "play.A", "play.B")
EQUAL_TOPS = """
  phase PLAY
  state
    A.arr.1 | 8H
    A.arr.2 | 2C
    B.arr.1 | TS
    B.arr.2 | [4S] QC
    A.rest | [5C]
    B.rest | [2H]
    play.A | 3C 8C
    play.B | 9S 8D
  events
"""


def slap(*events: str, option: str = "") -> Match:
    """Equal tops lie in the middle: both players may slap there."""
    head = ["match SLAP equal tops, both players slap the middle", "  game nerves", "  players A B"]
    if option:
        head.append(f"  opt {option}")
    numbered = "".join(f"    {n} {event}\n" for n, event in enumerate(events, 1))
    return read_matches("\n".join(head) + EQUAL_TOPS + numbered)[0]


def felt(
    t_ms: float,
    pad: int = 0,
    peak: int = 600,
    seq: int = 0,
    flags: int = 0,
    half_us: int = 0,
    baseline: int = 100,
) -> Felt:
    """A hit at a time that the clock knows to `half_us`."""
    t_ns = round(t_ms * MS)
    hit = Hit(seq % 65536, pad, flags, (t_ns // 500) % (1 << 32), 1800, peak, baseline, bytes(6))
    stamp = Stamp(t_ns, t_ns - half_us * 1000, t_ns + half_us * 1000, 500.0, 500.0, 500.0)
    return Felt(hit, seq, t_ns // 500, stamp, t_ns + 6 * MS)


def pad_profile(
    ratio: float | None = 0.2,
    boards: tuple[str, ...] = (BOARD,),
    peak_log: tuple[float, float] = (6.0, 0.35),
) -> Profile:
    """Three pads on a table; with `ratio` each feels so much of a knock on the others."""
    import math

    places = [(boards[n % len(boards)], n) for n in range(3)]
    pads = tuple(
        PadProfile(board, pad, spot, "piezo", 10, *peak_log, 4)
        for (board, pad), spot in zip(places, SPOTS, strict=True)
    )
    names = [address_of(board, pad) for board, pad in places]
    couplings = () if ratio is None else tuple(
        Coupling(a, b, 10, math.log(ratio), 0.2) for a in names for b in names if a != b
    )  # fmt: skip
    return Profile("nerves", pads, couplings)
