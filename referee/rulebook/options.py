"""House options: their names, values and meaning, and the timing ones of every game."""

from __future__ import annotations

from dataclasses import dataclass


class OptionError(ValueError):
    """An option that the game does not have, or a value that it cannot take."""


@dataclass(frozen=True, slots=True)
class Option:
    """A house option: its name without the game, its values (the first is the default), meaning.

    With `whole` every whole number from 0 is a value too; with `decimal` every decimal number;
    with `minus` every whole number with a minus sign.
    """

    name: str
    values: tuple[str, ...]
    meaning: str
    whole: bool = False
    decimal: bool = False
    minus: bool = False

    def check(self, value: str) -> str:
        """Return the value, if the option can take it. Raises OptionError with what it can take."""
        number = value.replace(".", "", 1) if self.decimal else value
        number = number.removeprefix("-") if self.minus else number
        signed = value.startswith("-") if self.minus else self.whole or self.decimal
        free = signed and number.isascii() and number.isdigit()
        if value in self.values or (free and len(value) <= 9):
            return value
        takes = "a number" if self.whole or self.decimal else " or ".join(self.values)
        raise OptionError(f"option {self.name} takes {takes}, not '{value[:40]}'")


def race_options(*, draw_ms: int = 0, contention_s: str = "0.5") -> tuple[Option, ...]:
    """Return the timing options of every game, with the game's draw window and contention time."""
    spans = (
        ("u_pad_ms", "2", "uncertainty of a pad"),
        ("u_hand_ms", "25", "uncertainty of a hand seen by the camera"),
        ("u_card_ms", "40", "uncertainty of a card's touch-down seen by the camera"),
        ("u_key_ms", "10", "uncertainty of a player's key or button"),
        ("u_voice_ms", "150", "uncertainty of a call heard"),
        ("u_operator_ms", "400", "uncertainty of the operator's button"),
        ("draw_ms", str(draw_ms), "dead-heat width: two acts within this time are a draw"),
        ("contention_s", contention_s, "a second card within this time lost a race, no fault"),
        ("fuse_ms", "150", "a pad and the camera within this time saw the same touch"),
    )
    return tuple(Option(f"race.{n}", (v,), m, decimal=True) for n, v, m in spans)
