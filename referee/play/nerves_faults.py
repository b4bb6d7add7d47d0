"""Faults of Nerves: one a match, undone at once, later, in another way, or never.

Every function is called where its faults can be committed, and does nothing unless the one that
the match has planned is among them and the cards give the opportunity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.play.script import MS, Wrong

if TYPE_CHECKING:
    from referee.play.nerves import Nerves

# What can go wrong, and how often one is chosen; those of play come up in every match.
KINDS = (
    *((kind, 1) for kind in ("SET-03", "SET-05", "SET-06", "SET-12", "START-01", "START-02")),
    *((kind, 1) for kind in ("ARR-03", "ARR-06", "ARR-07", "ARR-08", "ARR-12", "ARR-14")),
    *((kind, 8) for kind in ("cured", "owed", "cured late")),
    *((kind, 2) for kind in ("HAND-02", "HAND-04", "HIT-02", "HIT-03", "HIT-04")),
    *((kind, 1) for kind in ("HAND-03", "OUT-05", "OUT-06", "OUT-07", "PLAY-05", "SHUF-01")),
)


def is_due(game: Nerves, kind: str, chance: float = 1.0) -> bool:
    """Return whether the planned fault is this one and is committed now."""
    now = game.fault == kind and game.script.rng.random() < chance
    game.fault = "" if now else game.fault
    return now


def _blame(game: Nerves, rule: str, seat: str, n: int | None = None) -> None:
    game.script.expect("VIOLATION", f"NERVES-{rule}", seat, n=n)


def _err(game: Nerves, rule: str, seat: str, origin: str, target: str, *, up: bool = True) -> None:
    game.script.err(seat, _laid(game, rule, seat, origin, target, up=up))


def _laid(
    game: Nerves, rule: str, seat: str, origin: str, target: str, *, up: bool = True
) -> Wrong:
    script, hand = game.script, f"{seat}.R"
    was_up = script.pile(origin)[-1].up
    return Wrong(
        f"NERVES-{rule}",
        lambda: script.place(hand, origin, target, up=up),
        lambda: script.place(hand, target, origin, up=was_up),
    )


def before_choice(game: Nerves, cutter: str) -> None:
    """Cut twice, choose as the divider, or touch a half."""
    script, chooser = game.script, game.other(cutter)
    if len(script.pile("deck")) > 5 and is_due(game, "SET-03"):
        script.move(f"{cutter}.R", "deck", "cut.1", 3)
        _blame(game, "SET-03", cutter)
        script.wait(1_000, 2_000)
        script.move(f"{cutter}.R", "cut.1", "deck", len(script.pile("cut.1")))
        script.wait(1_000, 2_000)
        script.move(f"{cutter}.R", "deck", "cut.1", script.rng.randint(6, 46))
    elif is_due(game, "SET-05"):
        script.declare(cutter, "choose", "deck")
        _blame(game, "SET-05", cutter)
    elif is_due(game, "SET-06"):
        script.hand_on(f"{chooser}.R", "cut.1")
        _blame(game, "SET-06", chooser)
        script.wait(300, 600)
        script.hand_off(f"{chooser}.R", "cut.1")
    script.wait(100, 200)


def missing_palm(game: Nerves, palms: list[str]) -> str:
    """Return the palm that is not laid down before the start, taken from the others, if any."""
    if not is_due(game, "SET-12"):
        return ""
    return palms.pop(game.script.rng.randrange(len(palms)))


def before_start(game: Nerves, palms: list[str]) -> None:
    """Leave the table too early, with or without coming back before the start."""
    script, palm = game.script, game.script.rng.choice(palms)
    zone = f"{palm[0]}.side.{palm[2]}"
    if is_due(game, "START-01"):
        script.hand_off(palm, zone)
        _blame(game, "START-01", palm[0])
        script.wait(1_000, 1_500)
        script.hand_on(palm, zone)
        script.wait(1_000, 1_500)


def first_take(game: Nerves) -> None:
    """Pick up the other player's pile, and give it back."""
    script, seat = game.script, game.script.rng.choice(game.script.seats)
    zone = f"{game.other(seat)}.pile"
    if is_due(game, "START-02"):
        count = len(script.pile(zone))
        script.wait(300, 600)
        script.take(f"{seat}.L", zone, count)
        _blame(game, "START-02", seat)
        script.wait(800, 1_500)
        script.move(f"{seat}.L", f"{seat}.held", zone, count)


def before_row(game: Nerves, seat: str, number: int) -> bool:
    """Go wrong while arranging; return whether the row is laid by that."""
    script, player, rng = game.script, game.players[seat], game.script.rng
    columns, held, hand = player.rows[0], f"{seat}.held", f"{seat}.R"
    tops = [pile for pile in ("play.A", "play.B") if script.top(pile)]
    if tops and is_due(game, "ARR-12"):
        _err(game, "ARR-12", seat, held, rng.choice(tops))
    covered = [c for c in columns if player.tops[c] != number]
    if len(columns) > 1 and columns[0] in covered and is_due(game, "ARR-06"):
        zone = f"{seat}.arr.{columns.pop(0)}"
        script.place(hand, held, zone, up=False)
        _err(game, "ARR-06", seat, held, zone, up=False)
    if 0 < number < 4 and len(script.pile(held)) > 20 and is_due(game, "ARR-08"):
        count = len(script.pile(held))
        script.move(f"{seat}.L", held, f"{seat}.rest", count)
        _blame(game, "ARR-08", seat)
        script.wait(1_600, 2_500)
        script.move(f"{seat}.L", f"{seat}.rest", held, count)
        script.wait(500, 900)
    if len(columns) > 2 and is_due(game, "ARR-07"):
        columns[1], columns[2] = columns[2], columns[1]
        _lay(game, seat, number, blamed=1, rule="ARR-07")
        return True
    if len(columns) > 1 and is_due(game, "ARR-14"):
        _lay(game, seat, number, blamed=1, rule="ARR-14")
        return True
    return False


def _lay(game: Nerves, seat: str, number: int, *, blamed: int, rule: str) -> None:
    """Lay a whole row card by card, one of them wrongly."""
    script, player = game.script, game.players[seat]
    for place, column in enumerate(player.rows.pop(0)):
        both = rule == "ARR-14" and place == blamed
        if both:
            script.now_ns = script.events[-1].t_ns + script.rng.randint(10, 110) * MS
        up = player.tops[column] == number
        hand = "L" if both else "R"
        script.place(f"{seat}.{hand}", f"{seat}.held", f"{seat}.arr.{column}", up=up)
        if place == blamed:
            _blame(game, rule, seat)
        script.wait(200, 500)
    if not player.rows:
        game.put_rest_down(seat)


def before_rest(game: Nerves, seat: str) -> None:
    """Put the rest pile down while a column shows its back."""
    script = game.script
    columns = [zone for zone in game.columns(seat) if script.top(zone)]
    if columns and is_due(game, "ARR-03"):
        zone, held = script.rng.choice(columns), f"{seat}.held"
        script.turn(f"{seat}.R", zone, up=False)
        script.wait(300, 600)
        script.move(f"{seat}.L", held, f"{seat}.rest", len(script.pile(held)))
        _blame(game, "ARR-03", seat)
        script.wait(1_600, 2_500)
        script.turn(f"{seat}.R", zone)


def in_play(game: Nerves, seat: str) -> None:
    """Go wrong with a card on the table, and take it back at once, later or never."""
    script = game.script
    if script.rng.random() > 0.15:
        return
    rests = [zone for zone in ("A.rest", "B.rest") if len(script.pile(zone)) > 1]
    if rests and is_due(game, "SHUF-01"):
        script.mix(f"{seat}.?", script.rng.choice(rests))
        _blame(game, "SHUF-01", seat)
    found = list(_wrongs(game, seat))
    if found and is_due(game, "cured"):
        script.err(seat, script.rng.choice(found))
    kind = game.fault
    # Onto a rest card that goes back late its owner would have turned the next one.
    laid = [way for way in _misplays(game, seat) if way[0] != "TURN-02" or kind == "owed"]
    if laid and any(is_due(game, kind) for kind in ("owed", "cured late", "PLAY-05")):
        rule, origin, target = script.rng.choice(laid)
        game.chance_to_cure = 0.0 if kind == "owed" else 0.3
        game.owed = script.owe(f"NERVES-{rule}", seat, origin, target)
        if rule == "TURN-02":
            script.pile(origin).pop()
        if kind == "PLAY-05":
            _play_on(game, seat)


def _play_on(game: Nerves, seat: str) -> None:
    """Turn an arranged card or hit the middle before the owed card is taken back."""
    script, hand = game.script, f"{seat}.R"
    origin = game.owed.origin if game.owed else ""
    covered = [z for z in game.columns(seat) if script.pile(z) and not script.top(z)]
    covered = [zone for zone in covered if zone != origin]
    if covered and script.rng.random() < 0.5:
        zone = script.rng.choice(covered)
        script.turn(hand, zone)
        _blame(game, "PLAY-05", seat)
        script.wait(600, 900)
        script.turn(hand, zone, up=False)
    else:
        script.hit(hand, "mid")
        _blame(game, "PLAY-05", seat)
        script.wait(300, 600)
        script.hand_off(hand, "mid")


def take_back(game: Nerves) -> None:
    """Let the player who owes a card take it back after a while."""
    if game.owed is not None and game.script.rng.random() < game.chance_to_cure:
        game.script.take_back(game.owed)
        game.owed = None


def _misplays(game: Nerves, seat: str) -> Iterator[tuple[str, str, str]]:
    """Yield the cards that can be laid wrongly onto a playing pile: rule, from and to."""
    script, other = game.script, game.other(seat)
    for zone in game.columns(seat):
        card = script.top(zone)
        for target in ("play.A", "play.B") if script.pile(zone) else ():
            top = script.top(target)
            if card is None:
                yield "PLAY-02", zone, target
            elif top is None or abs(top.rank() - card.rank()) != 1:
                yield "PLAY-03", zone, target
    if script.pile(f"{other}.rest"):
        yield "TURN-02", f"{other}.rest", f"play.{seat}"
    if script.pile(f"{seat}.rest"):
        yield "TURN-03", f"{seat}.rest", f"play.{other}"


def _wrongs(game: Nerves, seat: str) -> Iterator[Wrong]:
    """Yield the faults that the cards allow the player now, with the acts that undo them."""
    script, other, hand = game.script, game.other(seat), f"{seat}.R"
    for rule, origin, target in _misplays(game, seat):
        yield _laid(game, rule, seat, origin, target)
        if rule == "PLAY-03":
            # Back to any arranged pile of its player is back.
            column = script.rng.choice(game.columns(seat))
            yield Wrong(
                "NERVES-PLAY-03",
                lambda o=origin, t=target: script.place(hand, o, t),  # type: ignore[misc]
                lambda c=column, t=target: script.place(hand, t, c),  # type: ignore[misc]
            )
    tops = [script.top(pile) for pile in ("play.A", "play.B")]
    if tops[0] is None or tops[1] is None or tops[0].rank() != tops[1].rank():
        yield Wrong(
            "NERVES-HIT-01",
            lambda: script.hit(hand, "mid"),
            lambda: script.hand_off(hand, "mid"),
        )
    for zone in game.columns(other):
        if script.pile(zone):
            target = next(z for z in game.columns(other) if z != zone)
            yield _laid(game, "REARR-06", seat, zone, target, up=script.top(zone) is not None)
    if script.pile(f"play.{other}") and script.pile(f"{seat}.arr.1"):
        yield _laid(game, "PILE-01", seat, f"play.{other}", f"{seat}.arr.1")


def before_slap(game: Nerves, seat: str, hand: str) -> None:
    """Hit with the forbidden hand, or at the time of the card itself."""
    script, other = game.script, game.other(seat)
    if is_due(game, "HAND-04"):
        _void_hit(game, "HAND-04", f"{seat}.{'L' if hand == 'R' else 'R'}", "mid")
    elif is_due(game, "HAND-02"):
        script.now_ns += script.rng.randint(0, 42) * MS
        _void_hit(game, "HAND-02", f"{other}.R", "mid", at_once=True)


def before_pile_hit(game: Nerves, seat: str, hand: str, played: str, pile: str) -> None:
    """Hit a pile with the forbidden hand, or at the time of the last card."""
    swapped = "R" if hand == "L" else "L"
    if is_due(game, "HAND-03"):
        rule = "HAND-03" if pile == played else "HAND-04"
        _void_hit(game, rule, f"{seat}.{hand if pile == played else swapped}", pile)


def _void_hit(game: Nerves, rule: str, hand: str, spot: str, *, at_once: bool = False) -> None:
    if not at_once:
        game.script.wait(200, 400)
    game.script.hit(hand, spot)
    _blame(game, rule, hand[0])
    game.script.wait(200, 400)
    game.script.hand_off(hand, spot)


def before_taking(game: Nerves, winner: str, loser: str, pile: str, first: bool) -> None:
    """Turn before both piles are taken, or put a pile on top of the rest cards."""
    script, rest = game.script, f"{loser}.rest"
    if script.pile(rest) and is_due(game, "HIT-02"):
        _err(game, "HIT-02", loser, rest, f"play.{loser}")
    if script.pile(f"{winner}.rest") and is_due(game, "HIT-04", 0.5):
        _err(game, "HIT-04", winner, f"{winner}.rest", f"play.{winner}")
    count, had = len(script.pile(pile)), bool(script.pile(rest)) and first
    if had and count and is_due(game, "HIT-03"):
        script.move(f"{loser}.R", pile, rest, count, flip=True)
        _blame(game, "HIT-03", loser)
        script.wait(1_600, 2_500)
        script.move(f"{loser}.R", rest, pile, count, flip=True)
        script.wait(600, 900)


def while_waiting(game: Nerves, winner: str) -> None:
    """Turn a rest card before the loser has."""
    if game.script.pile(f"{winner}.rest") and is_due(game, "HIT-04"):
        _err(game, "HIT-04", winner, f"{winner}.rest", f"play.{winner}")


def before_pick_up(game: Nerves, seat: str, zone: str) -> None:
    """Take the other player's pile, or begin to arrange with cards still on the table."""
    script, rng = game.script, game.script.rng
    wrong = next(pile for pile in ("play.A", "play.B") if pile != zone)
    if script.pile(wrong) and is_due(game, "OUT-05"):
        count = len(script.pile(wrong))
        script.wait(300, 800)
        script.take(f"{seat}.R", wrong, count)
        _blame(game, "OUT-05", seat)
        script.wait(800, 1_500)
        script.move(f"{seat}.R", f"{seat}.held", wrong, count)
    rest, held = f"{seat}.rest", f"{seat}.held"
    for rule, first, missing in (("OUT-06", zone, rest), ("OUT-07", rest, zone)):
        if script.pile(first) and script.pile(missing) and is_due(game, rule):
            for taken in (first, *game.columns(seat)):
                if script.pile(taken):
                    script.wait(300, 800)
                    script.take(f"{seat}.R", taken, len(script.pile(taken)))
            column = f"{seat}.arr.{rng.choice((1, 5))}"
            script.wait(300, 800)
            _err(game, rule, seat, held, column, up=False)
