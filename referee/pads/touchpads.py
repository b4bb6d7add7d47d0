"""The touch pads of a table: boards in, touches and blind intervals out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.pads.clock import WRAP
from referee.pads.fuse import Fused, Fusion
from referee.pads.hits import HitSorter, Ignored, Struck
from referee.pads.profile import ANALOG, Profile, address_of
from referee.pads.protocol import BOARD, PADS, WAVE_FIELD, Configure, Stat, Sync, Wave
from referee.pads.told import (
    Answer,
    Blinded,
    Edge,
    Felt,
    Greeted,
    Heartbeat,
    Linked,
    LinkState,
    Sighted,
    Told,
)
from referee.values import HandOff, HandOn, ViewBack, ViewLost

CAUSE = "touchpad"
# Edges of the sync wire: often enough to follow two resonators to 2 us, and cheap to send.
SYNC_PERIOD_MS = 200
FAULTS = (
    ("stuck", "has been held down for a second: lift what lies on it"),
    ("storming", "chatters: check its wires"),
    ("wiring", "has a cut or shorted cable"),
    ("deaf", "feels touches that it cannot stamp: raise its sensitivity"),
)


@dataclass(frozen=True, slots=True)
class PadNote:
    """One line about a board or a pad for the players; `state` is the board's.

    `device` names it for the record: `pads` and the board, or `pad` and the spot.
    """

    t_ns: int
    state: LinkState
    text: str
    device: str = "pads"


@dataclass(frozen=True, slots=True)
class PadWave:
    """What the pad of a spot felt around a touch: readings of 0 to 1023, `step_ns` apart."""

    t_ns: int
    step_ns: int
    spot: str
    readings: tuple[int, ...]


PadNews = Fused | Ignored | ViewLost | ViewBack | PadNote | PadWave


class Speaks(Protocol):
    """What can be said to a board."""

    def say(self, word: Sync) -> None:
        """Send a word once."""

    def ask(self, word: Configure) -> None:
        """Ask until it is answered."""


class Touchpads:
    """All pads of one table. `told` takes the boards' news, `until` gives what is decided.

    Times are host time; used by one thread.
    """

    def __init__(self, profile: Profile) -> None:
        """Begin with the table's profile."""
        self.profile = profile
        self._sorter = HitSorter(profile)
        self._fusion = Fusion()
        self._news: list[ViewLost | ViewBack | PadNote | PadWave] = []
        self._states: dict[str, LinkState] = {}
        self._last: dict[str, Felt] = {}
        self._faulty: dict[str, tuple[str, ...]] = {}

    def hand(self, hand: HandOn) -> None:
        """Take a hand that the camera saw come to rest."""
        self._fusion.hand(hand)

    def hand_off(self, off: HandOff) -> None:
        """Take word that a hand left."""
        self._fusion.hand_off(off)

    def told(self, board: str, told: Told, now_ns: int, link: Speaks | None = None) -> None:
        """Take the news of a board, named by its uid in hex."""
        match told:
            case Felt():
                self._last[address_of(board, told.hit.pad)] = told
                self._sorter.felt(board, told, now_ns)
            case Answer(word=Wave() as wave):
                self._wave(board, wave)
            case Edge():
                self._sorter.edge(board, told)
            case Greeted():
                self._sorter.restarted(board)
                if link is not None:
                    self._begin(board, link)
            case Blinded(since_ns=since_ns):
                self._sorter.blinded(board, since_ns)
                self._lost(self.profile.spots_of(board), since_ns)
            case Sighted(t_ns=t_ns):
                self._sorter.sighted(board, t_ns)
                self._back(self._sound_spots(board), t_ns)
            case Linked(state=state, t_ns=t_ns, why=why):
                self._states[board] = state
                text = f"touchpad {board}: {state}" + (f" ({why})" if why else "")
                self._news.append(PadNote(t_ns, state, text, f"pads.{board}"))
            case Heartbeat(stat=stat, arrived_ns=t_ns):
                self._heartbeat(board, stat, t_ns)

    def until(self, now_ns: int) -> list[PadNews]:
        """Return what is decided by now: touches in the order of time, after what was told."""
        found: list[PadNews] = [*self._news]
        self._news.clear()
        for one in self._sorter.until(now_ns):
            if not isinstance(one, Struck):
                found.append(one)
            elif one.spot in self._faulty.get(one.board, ()):
                found.append(one.ignored("the pad is reported as faulty"))
            else:
                self._fusion.struck(one)
        return found + [self._unless_faulty(one) for one in self._fusion.until(now_ns)]

    def _unless_faulty(self, one: Fused | Ignored) -> Fused | Ignored:
        """Return a touch, or why it does not count: a pad's chatter begins with one that seems so.

        The board finds a chattering pad 250 ms later, before the touch is told.
        """
        if isinstance(one, Ignored) or one.event.actor.seat is not None:
            return one
        touch = one.touch
        if touch is not None and touch.spot in self._faulty.get(touch.board, ()):
            return touch.ignored("the pad was found faulty just after")
        return one

    def _begin(self, board: str, link: Speaks) -> None:
        """Tell a board that was greeted what it is to do besides its touches."""
        if self._leads(board):
            link.say(Sync(SYNC_PERIOD_MS))
        # It sends the signal of one pad only: of that on the middle, where most races are.
        analog = [pad for pad in self.profile.pads if pad.board == board and pad.kind in ANALOG]
        analog.sort(key=lambda pad: pad.spot != "mid")
        if analog:
            link.ask(Configure(BOARD, WAVE_FIELD, analog[0].pad))

    def _wave(self, board: str, wave: Wave) -> None:
        """Take the signal around a touch; its ticks are counted from the touch's stamp."""
        felt = self._last.get(address_of(board, wave.pad))
        pad = self.profile.pad(address_of(board, wave.pad))
        if pad is None or felt is None or felt.stamp is None or felt.hit.seq != wave.seq:
            return
        before = (felt.hit.t - wave.t_first) % WRAP
        length = (wave.t_last - wave.t_first) % WRAP
        tick_ns = felt.stamp.tick_ns
        step_ns = round(length * tick_ns / (len(wave.samples) - 1))
        readings = tuple(4 * sample for sample in wave.samples)
        t_ns = felt.stamp.t_ns - round(before * tick_ns)
        self._news.append(PadWave(t_ns, step_ns, pad.spot, readings))

    def _leads(self, board: str) -> bool:
        """Return whether this board pulls the sync wire: the first of several."""
        boards = sorted({pad.board for pad in self.profile.pads})
        return len(boards) > 1 and board == boards[0]

    def _lost(self, spots: tuple[str, ...], t_ns: int) -> None:
        if spots:
            self._news.append(ViewLost(n=0, t_ns=t_ns, source="pad", zones=spots, cause=CAUSE))

    def _back(self, spots: tuple[str, ...], t_ns: int) -> None:
        if spots:
            self._news.append(ViewBack(n=0, t_ns=t_ns, source="pad", zones=spots, cause=CAUSE))

    def _sound_spots(self, board: str) -> tuple[str, ...]:
        faulty = self._faulty.get(board, ())
        return tuple(spot for spot in self.profile.spots_of(board) if spot not in faulty)

    def _heartbeat(self, board: str, stat: Stat, t_ns: int) -> None:
        """Tell which pads can give no hit now, and which can again."""
        before, found = self._faulty.get(board, ()), []
        for number in range(PADS):
            pad = self.profile.pad(address_of(board, number))
            bad = [text for name, text in FAULTS if getattr(stat, name) >> number & 1]
            if pad is None or not bad:
                continue
            found.append(pad.spot)
            if pad.spot not in before:
                state = self._states.get(board, "BLIND")
                text = f"the pad of {pad.spot} {bad[0]}"
                self._news.append(PadNote(t_ns, state, text, f"pad.{pad.spot}"))
        now = tuple(found)
        self._faulty[board] = now
        self._lost(tuple(spot for spot in now if spot not in before), t_ns)
        if self._states.get(board) == "LIVE":
            self._back(tuple(spot for spot in before if spot not in now), t_ns)
