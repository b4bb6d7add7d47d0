"""Nerves: requirements and set-up."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nerves.game import GAME, HALVES, MIDDLE, Memory, rule_of_play
from referee.games.nerves.places import part_of, seat_of
from referee.rulebook import Case, Finding
from referee.values import Configured, Dealt, Declared, HandOn, PileMoved

DECK = 52
PALMS = frozenset({"A.side.L", "A.side.R", "B.side.L", "B.side.R"})


def is_choice(case: Case[Memory]) -> bool:
    """Return whether a half is chosen."""
    return isinstance(case.event, Declared) and case.event.what == "choose"


def is_cut(case: Case[Memory]) -> bool:
    """Return whether a packet is lifted off the deck."""
    return case.moved.origin == "deck" and case.moved.target == "cut.1"


def is_choosing(case: Case[Memory]) -> bool:
    """Return whether the deck is cut and a half not chosen yet."""
    return case.memory.cut_by is not None and case.memory.half is None


def owner_of(case: Case[Memory], zone: str) -> str | None:
    """Return whose a half is, None before the choice."""
    half = case.memory.half
    if half is None or zone not in HALVES:
        return None
    return half.seat if zone == half.pile else case.setup.others(half.seat)[0]


@GAME.rule(
    "REQ-01",
    source="Title",
    observer="D",
    kind="DEF",
    severity="misdeal",
    remedy="seat two players",
    by="ours",
    watches=(Configured,),
    ok="Configured players=A,B",
    no="Configured players=A,B,C",
)
def two_players(case: Case[Memory]) -> Iterator[Finding]:
    """The game is for exactly two players, here called A and B."""
    assert isinstance(case.event, Configured)
    for word in case.event.words:
        name, _, value = word.partition("=")
        if name == "players" and len(value.split(",")) != 2:
            yield Finding(None, f"{len(value.split(','))} players; the game is for two")


@GAME.rule(
    "REQ-02",
    source="Requirements",
    observer="CK",
    kind="DUTY",
    severity="misdeal",
    remedy="stop, correct the deck and start again",
    by="ours",
    watches=(Dealt,),
    ok="Dealt - deck with 52 cards",
    no="Dealt - deck with 53 cards",
)
def whole_deck(case: Case[Memory]) -> Iterator[Finding]:
    """One regulation deck of 52 distinct cards is used."""
    event = case.event
    assert isinstance(event, Dealt)
    if event.zone != "deck":
        return
    count, census = len(event.cards), case.setup.census
    # A fragment may be dealt with a part of the deck: fewer cards are wrong only where the match
    # says how many there must be.
    if count > DECK or (census is not None and count < min(census, DECK)):
        yield Finding(None, f"the deck holds {count} cards")


GAME.declare(
    "REQ-03",
    "No jokers are in the deck.",
    source="Requirements",
    observer="C",
    kind="DUTY",
    severity="misdeal",
    remedy="remove the joker; no penalty",
    by="ours",
    ok="no joker ever read",
    no="CardTurned A.R X1 A.arr.3 up",
)

GAME.declare(
    "REQ-04",
    "The game is played on a table; the table edge bounds the playing area.",
    source="Requirements",
    observer="C",
    kind="DEF",
    severity="info",
    because="a definition; without an edge in view nobody can say what sticks out",
    ok="four table edges inside the calibrated image",
    no="calibration without an edge -> SET-11 becomes 'not observed'",
)


@GAME.rule(
    "SET-01",
    source="Set up of the game",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="lay the deck face down in the middle",
    by="ours",
    watches=(Dealt,),
    ok="Dealt - deck (52 cards, all down)",
    no="deck placed with a face showing, or outside the middle zone",
)
def deck_face_down(case: Case[Memory]) -> Iterator[Finding]:
    """The deck lies face down in the middle of the table, between the players, before the
    division.
    """
    event, memory = case.event, case.memory
    assert isinstance(event, Dealt)
    if case.setup.phase != "CUT" or memory.cut_by is not None or memory.half is not None:
        return
    if event.zone not in ("deck", MIDDLE):
        yield Finding(case.seat, f"the deck lies in {event.zone}")
    elif any(not card.hidden for card in event.cards if card.known):
        yield Finding(case.seat, "a face of the deck shows")


GAME.declare(
    "SET-02",
    ("One player (the divider) divides the deck by cutting, i.e. lifting a packet off the top."),
    source="Set up of the game",
    observer="CH",
    kind="DUTY",
    severity="procedure",
    remedy="put the packet back and cut again",
    by="ours",
    ok="PileMoved A.R deck>cut.1 n=32",
    no="PileMoved A.R deck>cut.1 n=12 while the bottom packet is the one lifted",
)


@rule_of_play(
    "SET-03",
    source="Set up of the game",
    observer="CH",
    kind="DUTY",
    severity="procedure",
    remedy="put the deck together unshuffled and cut again",
    by="ours",
    watches=(PileMoved,),
    ok="one PileMoved deck>cut.1",
    no="PileMoved deck>cut.1 n=20, then PileMoved deck>cut.1 n=3",
)
def one_smooth_cut(case: Case[Memory]) -> Iterator[Finding]:
    """The cut is one smooth motion: one grab, no dribbling back, no second grab."""
    memory, move = case.memory, case.moved
    if memory.half is not None or memory.cut_by is None:
        return
    if is_cut(case):
        yield Finding(case.seat, "a second grab at the cut")
        return
    back = (move.origin, move.target) == ("cut.1", "deck") and not memory.recut
    if back and case.table.pile("cut.1"):
        yield Finding(case.seat, "cards fall back on the deck")


GAME.declare(
    "SET-04",
    "The divider places the top part next to the bottom part.",
    source="Set up of the game",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="lay the packet beside the deck",
    by="ours",
    ok="cut.1 appears within ~2 card widths of deck, not overlapping it",
    no="packet held in hand 5 s, no zone cut.1",
)


@rule_of_play(
    "SET-05",
    source="Set up of the game",
    observer="DC",
    kind="DUTY",
    severity="procedure",
    remedy="the choice is void: ask the other player",
    by="ours",
    watches=(Declared,),
    ok="PileMoved A.R deck>cut.1; Declared B choose cut.1",
    no="PileMoved A.R deck>cut.1; Declared A choose cut.1",
)
def other_player_chooses(case: Case[Memory]) -> Iterator[Finding]:
    """The other player, not the divider, chooses one of the two halves."""
    if is_choice(case) and is_choosing(case) and case.seat == case.memory.cut_by:
        text = f"{case.seat} divided the deck and chooses too"
        yield Finding(case.seat, text, rests_on=HALVES)


@rule_of_play(
    "SET-06",
    source="Set up of the game",
    observer="H",
    kind="DUTY",
    severity="procedure",
    remedy="the choice stands",
    by="ours",
    watches=(
        HandOn,
        PileMoved,
    ),
    ok="Declared B choose deck (no HandOn B cut.1/deck before)",
    no="HandOn B.R cut.1; Declared B choose cut.1",
)
def chooser_touches_nothing(case: Case[Memory]) -> Iterator[Finding]:
    """The chooser touches neither half while choosing."""
    event = case.event
    if not is_choosing(case) or case.seat in (None, case.memory.cut_by):
        return
    if isinstance(event, HandOn):
        zone = event.zone
    else:
        zone = case.moved.origin if part_of(case.moved.target) in ("pile", "held") else ""
    if zone in HALVES:
        yield Finding(case.seat, f"{case.seat} touches {zone} before choosing")


GAME.declare(
    "SET-07",
    ("The choice assigns the chosen half to the chooser and the other half to the divider."),
    source="Set up of the game",
    observer="K",
    kind="DEF",
    severity="info",
    ok="Declared B choose deck -> B owns deck, A owns cut.1",
    no="A then takes deck -> SET-07/START-02 fault",
)

GAME.declare(
    "SET-08",
    ("The halves need not be equal; any cut with at least one card in each part is legal."),
    source="Set up of the game",
    observer="K",
    kind="PERM",
    severity="info",
    because="a permission; a cut that lifts nothing, or all, is asked about",
    ok="cut 32/20; cut 6/46",
    no="'cut' of 52/0 (nothing lifted) -> no cut happened, ask again",
)

GAME.declare(
    "SET-09",
    "Each player places the own pile before himself at a distance of his choosing.",
    source="Set up of the game",
    observer="C",
    kind="PERM",
    severity="info",
    because="a permission: never flagged",
    ok="A.pile 5 cm or 30 cm in front of A",
    no="A.pile left in the middle and claimed as placed -> ask where it is",
)

GAME.declare(
    "SET-10",
    "A pile may not be placed between the other player and that player's pile.",
    source="Set up of the game",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="move the pile before the start",
    by="ours",
    ok="order along the table axis: A, A.pile, B.pile, B",
    no="order A, B.pile, A.pile, B (A's pile between B and B.pile)",
)

GAME.declare(
    "SET-11",
    ("Both piles lie entirely on the table; no part of any card sticks out over the edge."),
    source="Set up of the game",
    observer="C",
    kind="DUTY",
    severity="procedure",
    remedy="push the pile in",
    by="ours",
    ok="pile quad completely inside the table polygon",
    no="any pile corner more than 3 mm outside the table polygon",
    options=("edge_always",),
)


@rule_of_play(
    "SET-12",
    source="Set up of the game",
    observer="H",
    kind="DUTY",
    severity="procedure",
    remedy="palms down, then name somebody again",
    by="ours",
    watches=(Declared,),
    ok="HandOn A.L A.side.L; HandOn A.R A.side.R; same for B",
    no="start is declared while A.L is not on the table",
)
def palms_down(case: Case[Memory]) -> Iterator[Finding]:
    """Before the start each player has both palms on the table, one hand on either side of the own
    pile.
    """
    event, memory = case.event, case.memory
    assert isinstance(event, Declared)
    if event.what != "start" or memory.started or not memory.palms | {t.spot for t in memory.early}:
        return
    left_early = {touch.spot for touch in memory.early}
    missing = sorted(PALMS - memory.palms - left_early)
    for seat in case.setup.seats:
        hands = [zone for zone in missing if seat_of(zone) == seat]
        if hands:
            text = f"no hand at {' and '.join(hands)}"
            yield Finding(seat, text, rests_on=tuple(hands))


GAME.declare(
    "SET-13",
    "One player says the name of any person within earshot.",
    source="Set up of the game",
    observer="D",
    kind="DUTY",
    severity="info",
    because="speech is neither seen nor felt; the operator may declare the name",
    ok="Declared A name Robin",
    no="Declared - start without any Declared name (recorded, not flagged)",
)

GAME.declare(
    "SET-14",
    "The game starts at the first response of the named person.",
    source="Set up of the game",
    observer="D",
    kind="DEF",
    severity="info",
    ok="Declared - start t=11.2",
    no="no start declared, hands off and piles picked up: ask 'has the game started?'",
)
