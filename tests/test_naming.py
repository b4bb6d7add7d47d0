"""Tests of names: what the networks' numbers become, without the networks."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.naming import (
    against_faces,
    named,
    parted,
    says_black,
    says_eight,
    with_faces,
)
from referee.vision.networks import (
    IS_INDEX,
    JOKER_RANK,
    NO_SUIT,
    NUMBERS,
    PRINTED,
    RANK_LOGITS,
    SUITS,
)
from referee.vision.peaks import Cards, Indices

NO_CARDS = Cards(
    np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, bool), np.zeros(0)
)
# An upright card 100 x 140 px in the middle of nowhere, with its two usual indices.
MIDDLE, LOWER = (200.0, 200.0), 180.0
CORNERS = {0.0: (158.0, 150.0), LOWER: (242.0, 250.0)}


def indices(*turns_deg: float) -> Indices:
    at = np.array([CORNERS[t] for t in turns_deg]).reshape(-1, 2)
    down = np.array([(0.0, 13.0) if t == 0.0 else (0.0, -13.0) for t in turns_deg]).reshape(-1, 2)
    n = len(turns_deg)
    return Indices(at, down, np.tile(MIDDLE, (n, 1)), np.full(n, 0.9), np.zeros((n, IS_INDEX)))


def places(label: str) -> tuple[int, int]:
    """Which rank and suit stand for a label."""
    if label == "JOKER":
        return JOKER_RANK, NO_SUIT
    if label in NUMBERS:
        return JOKER_RANK + 1 + NUMBERS.index(label), NO_SUIT
    if label.isdigit():
        return int(label) - 1, NO_SUIT
    return PRINTED.index(label[:-1]), SUITS.index(label[-1])


def says(label: str, rank: float = 9.0, suit: float = 9.0, real: float = 9.0) -> np.ndarray:
    """Logits of an index reader that is `rank` and `suit` sure of a label."""
    logits = np.zeros(IS_INDEX + 1)
    rank_n, suit_n = places(label)
    logits[rank_n] = rank
    logits[RANK_LOGITS + suit_n] = suit
    logits[IS_INDEX] = real
    return logits


def outline(back: bool, heat: float = 0.9) -> Cards:
    return Cards(
        np.array([MIDDLE]),
        np.array([(0.0, 70.0)]),
        np.array([(50.0, 0.0)]),
        np.array([back]),
        np.array([heat]),
    )


def test_a_sure_index_is_named_where_it_is_printed() -> None:
    (read,) = named(indices(0.0), says("7H")[None], NO_CARDS)
    assert read.label == "7H"
    assert read.score > 0.95
    assert read.at_px == (158.0, 150.0)
    assert read.angle_deg == 0.0
    assert read.quad_px is None


def test_an_unsure_suit_is_not_guessed() -> None:
    (read,) = named(indices(0.0), says("7H", suit=0.5)[None], NO_CARDS)
    assert read.label == "??"


def test_what_is_no_index_is_not_read() -> None:
    assert named(indices(0.0), says("7H", real=-3.0)[None], NO_CARDS) == ()


def test_a_joker_needs_no_suit() -> None:
    (read,) = named(indices(0.0), says("JOKER", suit=0.0)[None], NO_CARDS)
    assert read.label == "JOKER"


def test_the_two_indices_of_a_card_help_each_other() -> None:
    clear, blurred = says("7H"), says("7H", rank=1.0, suit=1.0)
    one, two = named(indices(0.0, LOWER), np.stack([clear, blurred]), NO_CARDS)
    assert (one.label, two.label) == ("7H", "7H")
    (alone,) = named(indices(LOWER), blurred[None], NO_CARDS)
    assert alone.label == "??"


def test_two_indices_that_contradict_each_other_are_less_sure() -> None:
    one, two = named(indices(0.0, LOWER), np.stack([says("7H", 5), says("9H", 5)]), NO_CARDS)
    (alone,) = named(indices(0.0), says("7H", 5)[None], NO_CARDS)
    assert one.score < alone.score
    assert two.label != "7H"


def test_the_large_pips_tell_a_club_from_a_spade() -> None:
    blurred, clear = says("2S", suit=2.0)[None], says("2C")[None, :IS_INDEX]
    (alone,) = named(indices(0.0), blurred, NO_CARDS)
    (read,) = named(indices(0.0), with_faces(blurred, clear), NO_CARDS)
    assert (alone.label, read.label) == ("2S", "2C")


def test_a_hidden_face_changes_no_name() -> None:
    sure, hidden = says("7H")[None], np.zeros((1, IS_INDEX))
    (alone,) = named(indices(0.0), sure, NO_CARDS)
    (read,) = named(indices(0.0), with_faces(sure, hidden), NO_CARDS)
    assert read.label == alone.label
    assert read.score == pytest.approx(alone.score, abs=0.01)


def test_an_eight_whose_pips_are_those_of_a_five_is_a_five() -> None:
    eight, five = says("8C")[None], says("5C")[None, :IS_INDEX]
    assert says_eight(eight)
    (read,) = named(indices(0.0), against_faces(eight, five), NO_CARDS)
    assert read.label == "5C"


def test_a_small_spade_whose_pips_are_clubs_is_a_club() -> None:
    spade = says("7S")[None]
    spade[0, RANK_LOGITS + SUITS.index("C")] = 6.0
    assert says_black(spade)
    (read,) = named(indices(0.0), parted(spade, np.array([-9.0])), NO_CARDS)
    assert read.label == "7C"
    assert read.score > 0.95


@pytest.mark.parametrize(("sign", "told"), [("9", "C"), ("J", "S")])
def test_the_few_pips_of_a_court_tell_less_than_those_of_a_number(sign: str, told: str) -> None:
    spade = says(f"{sign}S")[None]
    spade[0, RANK_LOGITS + SUITS.index("C")] = spade[0, RANK_LOGITS + SUITS.index("S")] - 2.5
    both = parted(spade, np.array([-4.0]))
    (read,) = named(indices(0.0), both, NO_CARDS)
    clubs, spades = (both[0, RANK_LOGITS + SUITS.index(suit)] for suit in "CS")
    assert ("C" if clubs > spades else "S") == told
    assert read.label in (f"{sign}{told}", "??")


def test_covered_pips_change_nothing() -> None:
    spade = says("7S", suit=2.0)[None]
    assert np.allclose(parted(spade, np.array([0.2])), spade)


def test_a_black_card_that_is_surely_named_needs_no_pips() -> None:
    assert says_black(says("7S", suit=4.0)[None])
    assert not says_black(says("7S", suit=5.0)[None])


@pytest.mark.parametrize("label", ["7H", "QD", "JOKER", "14"])
def test_only_clubs_and_spades_look_alike(label: str) -> None:
    assert not says_black(says(label, suit=4.0)[None])


def test_how_likely_a_card_is_black_is_not_said_by_which_of_the_two_it_is() -> None:
    doubtful = says("7S", suit=1.0)[None]
    (read,) = named(indices(0.0), parted(doubtful, np.array([9.0])), NO_CARDS)
    assert read.label == "??"


@pytest.mark.parametrize("face", ["8C", None], ids=["its own", "hidden"])
def test_an_eight_stays_one_where_its_face_does_not_belie_it(face: str | None) -> None:
    shows = np.zeros((1, IS_INDEX)) if face is None else says(face)[None, :IS_INDEX]
    eight = says("8C")[None]
    assert np.array_equal(against_faces(eight, shows), eight)


def test_the_outer_indices_of_two_neighbours_are_not_mixed_into_a_third_card() -> None:
    reads = named(indices(0.0, LOWER), np.stack([says("2S"), says("6H")]), NO_CARDS)
    assert [read.label for read in reads] == ["2S", "6H"]


def test_an_outline_starts_at_the_index_that_is_upright() -> None:
    (read,) = named(indices(LOWER), says("7H")[None], outline(back=False))
    assert read.angle_deg == pytest.approx(180.0)
    assert read.quad_px == ((250.0, 270.0), (150.0, 270.0), (150.0, 130.0), (250.0, 130.0))


def test_a_face_down_card_is_a_back_at_its_middle() -> None:
    (read,) = named(indices(), np.zeros((0, IS_INDEX + 1)), outline(back=True))
    assert (read.label, read.at_px) == ("BACK", MIDDLE)


def test_a_face_up_card_without_a_readable_index_is_seen_and_not_read() -> None:
    (read,) = named(indices(), np.zeros((0, IS_INDEX + 1)), outline(back=False))
    assert read.label == "??"


def test_a_figure_printed_on_a_named_card_is_no_card_of_its_own() -> None:
    card, figure = outline(back=False), outline(back=True, heat=0.6)
    both = Cards(
        np.concatenate([card.middle, figure.middle + 8.0]),
        np.concatenate([card.down, figure.down / 2]),
        np.concatenate([card.across, figure.across / 2]),
        np.concatenate([card.back, figure.back]),
        np.concatenate([card.heat, figure.heat]),
    )
    assert [r.label for r in named(indices(0.0), says("7H")[None], both)] == ["7H"]


@pytest.mark.parametrize(("x_px", "read"), [(158.0, True), (200.0, False)])
def test_the_next_card_of_a_cascade_is_read_where_a_figures_crown_is_not(
    x_px: float, read: bool
) -> None:
    # The five covers the seven from 190 px downwards; what stands there is hardly to be made out.
    seven = indices(0.0)
    both = Indices(
        np.concatenate([seven.at, [(x_px, 205.0)]]),
        seven.axis.repeat(2, 0),
        np.concatenate([seven.middle, [(x_px + 42.0, 255.0)]]),
        seven.heat.repeat(2),
        seven.logits.repeat(2, 0),
    )
    logits = np.stack([says("7H"), says("5C", suit=3.5)])
    reads = named(both, logits, outline(back=False))
    assert [one.label for one in reads] == (["7H", "5C"] if read else ["7H"])
    assert all(one.score > 0.6 for one in reads)


def test_a_card_named_by_its_index_is_not_also_a_back() -> None:
    reads = named(indices(0.0), says("7H")[None], outline(back=True))
    assert [r.label for r in reads] == ["7H"]


@pytest.mark.parametrize("label", ["1", "2", "9", "10", "11", "18"])
def test_a_number_card_is_named_by_its_number(label: str) -> None:
    (read,) = named(indices(0.0), says(label)[None], NO_CARDS)
    assert read.label == label


def test_where_only_suited_cards_are_played_no_number_is_read() -> None:
    (read,) = named(indices(0.0), says("12")[None], NO_CARDS, "suited")
    assert read.label == "??"


def test_where_numbers_are_played_a_card_has_no_suit() -> None:
    (read,) = named(indices(0.0), says("7H")[None], NO_CARDS, "numbers")
    assert read.label == "7"


def spread(*labels: str, **sure: float) -> list[str]:
    """The names of cards lying far apart, each with one index that says a label."""
    many = [indices(0.0) for _ in labels]
    far = np.arange(len(labels))[:, None] * (500.0, 0.0)
    together = Indices(
        np.concatenate([one.at for one in many]) + far,
        np.concatenate([one.axis for one in many]),
        np.concatenate([one.middle for one in many]) + far,
        np.concatenate([one.heat for one in many]),
        np.concatenate([one.logits for one in many]),
    )
    logits = np.stack([says(label, **sure) for label in labels])
    return [read.label for read in named(together, logits, NO_CARDS)]


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("BH DH KH AH", "JH QH KH AH"),  # German
        ("VS DC RD 1H TC", "JS QC KD AH TC"),  # French
        ("BS VC HD AH", "JS QC KD AH"),  # Dutch
        ("KnS DC KD AH", "JS QC KD AH"),  # Swedish
        ("BS ДC KD ТH", "JS QC KD AH"),  # Russian
        ("JS QC KD AH", "JS QC KD AH"),
    ],
)
def test_the_letters_of_a_picture_tell_its_language(printed: str, meant: str) -> None:
    assert spread(*printed.split()) == meant.split()


def test_a_lone_v_may_be_a_jack_or_a_queen() -> None:
    assert spread("VS") == ["??"]


def test_a_lone_d_is_a_queen_in_every_language_that_has_it() -> None:
    assert spread("DS") == ["QS"]


def test_an_8_among_english_cards_is_not_the_b_it_looks_like() -> None:
    looks_like_b = says("8S", rank=7.0)
    looks_like_b[PRINTED.index("B")] = 7.3
    english = np.stack([says("QH"), says("JC"), says("KS"), looks_like_b])
    one = indices(0.0)
    far = np.arange(4)[:, None] * (500.0, 0.0)
    four = Indices(
        one.at + far, one.axis.repeat(4, 0), one.middle + far, one.heat.repeat(4),
        one.logits.repeat(4, 0),
    )  # fmt: skip
    assert [read.label for read in named(four, english, NO_CARDS)] == ["QH", "JC", "KS", "8S"]


def test_a_deck_of_known_language_needs_no_others_to_tell() -> None:
    (read,) = named(indices(0.0), says("VS")[None], NO_CARDS, language="dutch")
    assert read.label == "QS"


def test_a_small_outline_on_a_named_card_is_a_figure_printed_there() -> None:
    small = Cards(
        np.array([MIDDLE, (210.0, 180.0)]),
        np.array([(0.0, 70.0), (0.0, 30.0)]),
        np.array([(50.0, 0.0), (20.0, 0.0)]),
        np.array([False, True]),
        np.array([0.9, 0.85]),
    )
    reads = named(indices(0.0, LOWER), np.stack([says("JS"), says("JS")]), small)
    assert {read.label for read in reads} == {"JS"}
