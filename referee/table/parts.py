"""The parts of a table that is understood: its piles, and all who know something of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.table.air import Air
from referee.table.arrivals import Arrivals
from referee.table.backs import Backs
from referee.table.backs_left import BacksLeft
from referee.table.burying import Burying
from referee.table.company import Company
from referee.table.contested import Contested
from referee.table.crossing import Crossing
from referee.table.dealing import Dealing
from referee.table.dealt_hands import DealtHands
from referee.table.drawing import Drawing
from referee.table.evidence import Evidence, Touched, Ways
from referee.table.following import Following
from referee.table.habits import Habits, habits_of
from referee.table.halves import Halves
from referee.table.laid_bare import LaidBare
from referee.table.laid_unseen import LaidUnseen
from referee.table.leaving import Leaving
from referee.table.missing import Missing
from referee.table.moves import ActorAt
from referee.table.on_the_way import OnTheWay
from referee.table.only_source import OnlySource
from referee.table.packets import Packets
from referee.table.piles import Piles
from referee.table.racing import Racing
from referee.table.read_twice import ReadTwice
from referee.table.resting import Resting
from referee.table.returning import Returning
from referee.table.seen_to_leave import SeenToLeave
from referee.table.setting_up import SettingUp
from referee.table.short_hands import ShortHands
from referee.table.slipping_under import SlippingUnder
from referee.table.sources import Sources
from referee.table.spots import Zones
from referee.table.stirs import Stirs
from referee.table.stopping_over import StoppingOver
from referee.table.taking_back import TakingBack
from referee.table.taking_up import TakingUp
from referee.table.turn_times import TurnTimes
from referee.table.turned_unseen import TurnedUnseen
from referee.table.unseen_turns import UnseenTurns
from referee.table.unturned import Unturned
from referee.table.whole_decks import WholeDecks
from referee.values import TablePlan


@dataclass(frozen=True, slots=True)
class Parts:
    """What a scene is made of; each part is explained in the module of its name."""

    plan: TablePlan
    habits: Habits
    zones: Zones
    piles: Piles
    actor_at: ActorAt
    evidence: Evidence
    stirs: Stirs
    air: Air
    laid_bare: LaidBare
    laid_unseen: LaidUnseen
    contested: Contested
    racing: Racing
    burying: Burying
    returning: Returning
    company: Company
    slipping: SlippingUnder
    arrivals: Arrivals
    drawing: Drawing
    leaving: Leaving
    taking_back: TakingBack
    taking_up: TakingUp
    turned_unseen: TurnedUnseen
    unseen_turns: UnseenTurns
    missing: Missing
    resting: Resting
    read_twice: ReadTwice
    on_the_way: OnTheWay
    stopping_over: StoppingOver
    only_source: OnlySource
    seen_to_leave: SeenToLeave
    crossing: Crossing
    setting_up: SettingUp
    short_hands: ShortHands
    dealing: Dealing
    dealt_hands: DealtHands
    following: Following
    whole_decks: WholeDecks
    packets: Packets
    halves: Halves

    def sources(self) -> Sources:
        """Return where known cards may have come from now."""
        gone, bare = self.air.gone, self.laid_bare
        return Sources(self.habits, self.piles, gone, self.evidence, bare, self.racing)

    def backs(self) -> Backs:
        """Return where cards that nobody saw may have come from now."""
        gone, taken_ns = self.air.gone, self.burying.taken_ns
        return Backs(self.plan, self.habits, self.piles, gone, self.evidence, taken_ns)

    def unturned(self) -> Unturned:
        """Return which backs may have been turned up unseen by now."""
        return Unturned(self.habits, self.piles, self.air.gone, self.evidence)

    def deck_of(self, zone: str) -> str | None:
        """Return whose deck a card is that turns up in a zone for the first time."""
        return self.habits.deck_of(zone, len(self.plan.seats))


def parts_of(
    plan: TablePlan, actor_at: ActorAt, touched: Touched, ways: Ways, is_held: Callable[[str], bool]
) -> Parts:
    """Return the parts of an empty table; `is_held` tells of decks that are dealt from a hand."""
    habits, zones, piles = habits_of(plan), Zones(plan), Piles()
    evidence = Evidence(plan, touched, ways)
    stirs = Stirs(plan, habits, piles, evidence)
    times = TurnTimes(piles, stirs)
    air = Air(habits, piles, actor_at, evidence, times)
    contested = Contested(plan, habits, zones, piles, evidence, lambda: air.gone)
    racing = Racing(plan, habits, piles, evidence, lambda: air.gone)
    company = Company(habits, zones, piles, air, evidence)
    missing = Missing(piles, evidence)
    arrivals = Arrivals(habits, piles, company)
    left = BacksLeft(plan, habits, piles, evidence)
    unseen = UnseenTurns(habits, piles, times, air, evidence)
    drawing = Drawing(habits, piles, evidence, stirs, air, arrivals, left, times, unseen)
    setting_up = SettingUp(plan, habits, piles)
    return Parts(
        plan=plan,
        habits=habits,
        zones=zones,
        piles=piles,
        actor_at=actor_at,
        evidence=evidence,
        stirs=stirs,
        air=air,
        laid_bare=LaidBare(piles, evidence),
        laid_unseen=LaidUnseen(habits, zones, piles, air),
        contested=contested,
        racing=racing,
        burying=Burying(plan, habits, piles, contested, racing, air),
        returning=Returning(habits, piles, air),
        company=company,
        slipping=SlippingUnder(zones, piles, company, air, evidence),
        arrivals=arrivals,
        drawing=drawing,
        leaving=Leaving(habits, piles, zones, air, is_held),
        taking_back=TakingBack(plan, habits, piles, air, evidence),
        taking_up=TakingUp(habits, piles, air, evidence),
        turned_unseen=TurnedUnseen(plan, habits, piles, air, times, evidence),
        unseen_turns=unseen,
        missing=missing,
        resting=Resting(habits, zones, piles, air, company, contested, missing),
        read_twice=ReadTwice(habits, piles, air, evidence),
        on_the_way=OnTheWay(habits, piles, air, drawing, unseen, evidence, len(plan.seats)),
        stopping_over=StoppingOver(habits, zones, piles, evidence, air.left_ns),
        only_source=OnlySource(plan, habits, zones, piles, air, evidence),
        seen_to_leave=SeenToLeave(habits, piles, evidence),
        crossing=Crossing(plan, piles, evidence),
        setting_up=setting_up,
        short_hands=ShortHands(plan, habits, zones, piles, air),
        dealing=Dealing(plan, habits, zones, piles, setting_up),
        dealt_hands=DealtHands(plan, habits, piles, evidence),
        following=Following(habits, piles, air, arrivals),
        whole_decks=WholeDecks(plan, habits, piles, air, arrivals, evidence),
        packets=Packets(habits, piles, air.left),
        halves=Halves(plan, habits, piles, air, evidence),
    )
