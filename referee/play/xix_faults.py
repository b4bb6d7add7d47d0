"""Faults of XIX: one a match, undone at once, later, in another way, never, or without effect.

Every function is called where its faults can be committed, and does nothing unless the one that
the match has planned is among them and the cards give the opportunity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.play.script import Owed, Wrong

if TYPE_CHECKING:
    from referee.play.xix import Nineteen

# What can go wrong, and how often one is chosen; `late` ones leave the card lying for a while,
# `owed` ones to the end.
KINDS = (
    *((f"{kind}{how}", 3) for kind in ("lead", "second", "draft") for how in ("", " late")),
    *((kind, 3) for kind in ("turned",)),
    *((kind, 2) for kind in ("STRIKE-02", "STRIKE-05", "led early", "HAND-06", "SET-07")),
    *((kind, 2) for kind in ("DRAFT-01", "DRAFT-03", "DRAFT-05", "DRAFT-06", "TRADE-01")),
    *((kind, 2) for kind in ("TRADE-02", "TRADE-03", "TRADE-06", "TRADE-07")),
    *((f"{kind} owed", 2) for kind in ("lead", "second", "turned", "draft", "HAND-06", "SET-07")),
    *((f"{kind} owed", 2) for kind in ("DRAFT-06", "TRADE-01", "TRADE-03", "TRADE-07")),
)
# How often the planned fault is committed at an opportunity: games have few of some kinds.
CHANCE = 0.4
CHANCE_TO_CURE = 0.3


def is_due(game: Nineteen, kind: str) -> str:
    """Return the planned fault if it is of this kind and is committed now."""
    planned = game.fault
    bare = planned.removesuffix(" late").removesuffix(" owed")
    if bare != kind or game.owed or game.script.rng.random() > CHANCE:
        return ""
    game.fault = ""
    return planned


def _err(
    game: Nineteen, kind: str, rule: str, seat: str, origin: str, target: str, *, up: bool
) -> None:
    """Move the top card of a zone wrongly; take it back at once, later, or never."""
    script, hand = game.script, f"{seat}.R"
    if kind.endswith(("late", "owed")):
        game.owed = script.owe(f"XIX-{rule}", seat, origin, target, up=up)
        game.forever = kind.endswith("owed")
        return
    was_up = script.pile(origin)[-1].up
    act = Wrong(
        f"XIX-{rule}",
        lambda: script.place(hand, origin, target, up=up),
        lambda: script.place(hand, target, origin, up=was_up),
    )
    script.err(seat, act)


def take_back(game: Nineteen, *, surely: bool = False) -> None:
    """Take an owed card back, now and then, or before it stands in the way."""
    chance = 0.0 if game.forever else CHANCE_TO_CURE
    if game.owed and (surely or game.script.rng.random() < chance):
        game.script.wait(800, 1_500)
        game.script.take_back(game.owed, ordered=False)
        game.owed = None


def before_lead(game: Nineteen, leader: str, rule: str) -> None:
    """Let the wrong player lead, or a card of the talon or the unused one be used."""
    seat, script = game.other(leader), game.script
    if len(script.pile(f"{seat}.closed")) > 1 and (kind := is_due(game, "lead")):
        _err(game, kind, rule, seat, f"{seat}.closed", "mid", up=True)
    talon = [zone for zone in _talon() if script.pile(zone)]
    if kind := is_due(game, "HAND-06"):
        _err(game, kind, "HAND-06", leader, script.rng.choice(talon), "mid", up=True)
    elif kind := is_due(game, "SET-07"):
        _turn(game, kind, "SET-07", seat, "unused", up=True)
    if script.pile(f"{seat}.open") and (kind := is_due(game, "DRAFT-06")):
        _turn(game, kind, "DRAFT-06", seat, f"{seat}.open", up=False)


def _turn(game: Nineteen, kind: str, rule: str, seat: str, zone: str, *, up: bool) -> None:
    """Turn the top card of a zone wrongly; turn it back at once or never."""
    script, hand = game.script, f"{seat}.R"
    lying = script.pile(zone)[-1]
    act = Wrong(
        f"XIX-{rule}",
        lambda: script.turn(hand, zone, up=up),
        lambda: script.turn(hand, zone, up=not up),
    )
    if kind.endswith("owed"):
        script.err_and_owe(seat, act)
        game.owed, game.forever = Owed(seat, lying.card, zone, zone, 0, lying.up), True
    else:
        script.err(seat, act)


def before_reply(game: Nineteen, leader: str, follower: str) -> bool:
    """Let the leader play twice, or the reply lie face down; return whether it lies there."""
    script, hand = game.script, f"{follower}.R"
    kind = is_due(game, "turned") if len(script.pile(f"{follower}.closed")) > 1 else ""
    if kind.endswith("owed"):
        _err(game, kind, "TRICK-02", follower, f"{follower}.closed", "mid", up=False)
    elif kind:
        game.choose(f"{follower}.closed")
        script.wait(1_600, 2_500)
        script.place(hand, f"{follower}.closed", "mid", up=False)
        script.expect("VIOLATION", "XIX-TRICK-02", follower)
        script.wait(1_600, 2_500)
        if script.rng.random() < 0.5:
            script.turn(hand, "mid")
            return True
        script.place(hand, "mid", f"{follower}.closed", up=False)
    if len(script.pile(f"{leader}.closed")) > 1 and (kind := is_due(game, "second")):
        _err(game, kind, "TRICK-01", leader, f"{leader}.closed", "mid", up=True)
    if len(script.pile("mid")) > 1 and (kind := is_due(game, "DRAFT-01")):
        _err(game, kind, "DRAFT-01", follower, "mid", f"{follower}.open", up=True)
    return False


def before_decision(game: Nineteen, winner: str) -> None:
    """Let a player without a fresh strike decide, or lead before the other has decided."""
    script = game.script
    if is_due(game, "STRIKE-02"):
        script.declare(winner, script.rng.choice(("abandon", "raise")))
        script.expect("VIOLATION", "XIX-STRIKE-02", winner)
        script.wait(800, 1_500)


def leads_early(game: Nineteen, winner: str, loser: str) -> bool:
    """Lead before the loser of the trick has decided; return whether that was done."""
    if not game.free(f"{winner}.closed") or not is_due(game, "led early"):
        return False
    game.card(winner)
    game.script.expect("VIOLATION", "XIX-STRIKE-02", loser)
    game.script.wait(800, 1_500)
    return True


def after_third_strike(game: Nineteen, loser: str) -> None:
    """Let the loser raise, who cannot."""
    if is_due(game, "STRIKE-05") and not game.over():
        game.script.wait(800, 1_500)
        game.script.declare(loser, "raise")
        game.script.expect("VIOLATION", "XIX-STRIKE-05", loser)


def before_draft(game: Nineteen, seat: str, rule: str) -> None:
    """Let the wrong player choose, or a card go where it does not belong."""
    script, other = game.script, game.other(seat)
    left = len(script.pile("mid"))
    if left > 1 and (kind := is_due(game, "draft")):
        _err(game, kind, rule, other, "mid", f"{other}.open", up=True)
    elif kind := is_due(game, "DRAFT-05"):
        target = script.rng.choice((f"{seat}.closed", f"{other}.open"))
        _err(game, kind, "DRAFT-05", seat, "mid", target, up=target.endswith("open"))
    elif script.pile(f"{other}.closed") and (kind := is_due(game, "DRAFT-03")):
        _err(game, kind, "DRAFT-03", other, f"{other}.closed", "mid", up=True)


def before_trade(game: Nineteen, loser: str, place: str, covered: list[str]) -> None:
    """Trade in a forbidden way, let the winner trade, or lead before the trade."""
    script, winner = game.script, game.other(loser)
    opened = [zone for zone in _talon() if zone not in covered]
    if covered and opened and (kind := is_due(game, "TRADE-03")):
        zone = script.rng.choice(opened)
        _err(game, kind, "TRADE-03", loser, zone, f"{loser}.open", up=True)
    elif len(covered) > 1 and (kind := is_due(game, "TRADE-07")):
        zone = script.rng.choice([zone for zone in covered if zone != place])
        _err(game, kind, "TRADE-07", winner, zone, f"{winner}.closed", up=False)
    elif script.pile(f"{loser}.closed") and (kind := is_due(game, "TRADE-02")):
        _err(game, kind, "TRADE-02", loser, f"{loser}.closed", place, up=True)
    elif len(script.pile(f"{winner}.closed")) > 1 and (kind := is_due(game, "TRADE-01")):
        _lead_untraded(game, kind, winner, loser)


def _lead_untraded(game: Nineteen, kind: str, winner: str, loser: str) -> None:
    """Lead before the loser has traded, who is blamed for it."""
    script, closed, hand = game.script, f"{winner}.closed", f"{winner}.R"
    if kind.endswith("owed"):
        game.owed = script.owe("XIX-TRADE-01", winner, closed, "mid", blamed=loser)
        game.forever = True
        return
    act = Wrong(
        "XIX-TRADE-01",
        lambda: script.place(hand, closed, "mid"),
        lambda: script.place(hand, "mid", closed, up=False),
    )
    script.err(loser, act)


def lays_elsewhere(game: Nineteen, loser: str, place: str) -> bool:
    """Lay the hand card on another place of the talon; return whether it went on to the right."""
    script, hand, mine = game.script, f"{loser}.R", f"{loser}.open"
    if not is_due(game, "TRADE-06"):
        return False
    other = script.rng.choice([zone for zone in _talon() if zone != place])
    script.wait(1_600, 2_500)
    script.place(hand, mine, other)
    script.expect("VIOLATION", "XIX-TRADE-06", loser)
    script.wait(1_600, 2_500)
    moved_on = script.rng.random() < 0.5
    script.place(hand, other, place if moved_on else mine)
    script.wait(800, 1_500)
    return moved_on


def _talon() -> tuple[str, ...]:
    return tuple(f"talon.{place}" for place in range(1, 6))
