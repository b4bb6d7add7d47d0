"""From acts to a show: which hand does what when, and how every card gets where it goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.simulate.acts import Act, Blind, Carry, Deal, Mix, Plot, Touch
from referee.simulate.arms import Person
from referee.simulate.cardtrail import is_off_table
from referee.simulate.carrying import carry, deal, take
from referee.simulate.flights import Contact, Dark, Hand, Show
from referee.simulate.laying import timeline
from referee.simulate.mixing import mix
from referee.simulate.spots import Spots
from referee.simulate.stage import Stage, is_before
from referee.simulate.touching import release, touch
from referee.values import TablePlan

_BLIND_S = 2.0
"""A view that never comes back in the script is blocked this long."""


class Choreographer:
    """Plans all hands and cards of one plot, act after act."""

    def __init__(
        self, plot: Plot, plan: TablePlan, spots: Spots, people: Sequence[Person], seed: int
    ) -> None:
        """Lay out the start; `people` are the players' arms in order of the plan's seats."""
        self._plot = plot
        self._stage = Stage(plot, plan, spots, people, seed)

    def show(self) -> Show:
        """Plan all acts and return the show. Raises ScriptError."""
        touches = (act for act in self._plot.acts if isinstance(act, Touch))
        releases = [_Release(touch) for touch in touches if touch.off_ns is not None]
        steps: list[Act | _Release] = [*self._plot.acts, *releases]
        for step in sorted(steps, key=_step_time):
            if isinstance(step, _Release):
                release(self._stage, step.touch)
            else:
                self._perform(step)
        for hand in self._stage.hands:
            hand.go_home()
        self._stage.close_held()
        return self._show()

    def _show(self) -> Show:
        stage = self._stage
        hands = tuple(
            Hand(h.seat, h.side, h.person, h.shoulder_mm, tuple(h.stops)) for h in stage.hands
        )
        lies = tuple(timeline(stage.table.ops))
        contacts = tuple(sorted((c for h in stage.hands for c in h.contacts), key=_contact_time))
        darks = tuple(self._dark(blind) for blind in self._plot.blinds)
        last = [hand.stops[-1].t_s for hand in stage.hands]
        last += [op.t_s for op in stage.table.ops] + [dark.until_s for dark in darks]
        last.append(stage.time_s(self._plot.last_ns))
        return Show(
            lies, tuple(sorted(stage.flights, key=lambda flight: flight.lift_s)), hands, contacts,
            tuple(stage.played[n] for n in sorted(stage.played)), darks,
            stage.lead_s, max(last) + 0.6,
        )  # fmt: skip

    def _dark(self, blind: Blind) -> Dark:
        from_s = self._stage.time_s(blind.t_ns)
        until_ns = (
            blind.until_ns if blind.until_ns is not None else blind.t_ns + int(_BLIND_S * 1e9)
        )
        return Dark(from_s, self._stage.time_s(until_ns), blind.zones, blind.dark)

    def _perform(self, act: Act) -> None:
        match act:
            case Carry() if is_off_table(act.target) and is_off_table(act.origin):
                self._stage.table.pile(act.target).extend(act.pieces)
            case Carry() if act.target.endswith(".held"):
                take(self._stage, act)
            case Carry():
                carry(self._stage, act)
            case Deal():
                deal(self._stage, act)
            case Touch():
                touch(self._stage, act)
            case Mix():
                mix(self._stage, act)


@dataclass(frozen=True, slots=True)
class _Release:
    """The end of a touch, as a step of its own."""

    touch: Touch


def _step_time(step: Act | _Release) -> tuple[int, int]:
    if isinstance(step, _Release):
        return step.touch.off_ns or 0, step.touch.off_n or 0
    return (-1, step.n) if is_before(step) else (step.t_ns, step.n)


def _contact_time(contact: Contact) -> float:
    return contact.t_s
