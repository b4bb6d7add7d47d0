"""Your deck in a minute: it is spread out once, learned, checked, told from others by its back."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import HANG_S, ROOT, Ended, Image, one_line, write_picture, write_video
from deck_pictures import CLOTH, GREEN, RED, spread
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers import camera, part

from referee import app
from referee.commands.benches._changes import changes_ms
from referee.simulate.backs import DESIGNS
from referee.simulate.cards import DeckStyle, draw_back
from referee.values import CardRead
from referee.vision.aside import ReaderAside
from referee.vision.deck_back import Backs, paper_white, upright_back, without_light
from referee.vision.deck_evidence import DeckEvidence
from referee.vision.deck_file import DeckFileError, read_deck, write_deck
from referee.vision.deck_gather import DeckGathering
from referee.vision.deck_pairing import cheapest_pairs
from referee.vision.deck_profile import NUMBERED, SUITED, DeckProfile
from referee.vision.deck_which import DeckChoice
from referee.vision.detect import Reader

Referee = Callable[..., Ended]
NAMES = [design.name for design in DESIGNS]


def shuffled(cards: Sequence[str]) -> list[str]:
    return [str(card) for card in np.random.default_rng(3).permutation(cards)]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return app.open_reader(None, 1)


@pytest.fixture(scope="module")
def red(reader: Reader) -> DeckProfile:
    """Our red deck, learned whole."""
    gathering = DeckGathering(reader)
    gathering.take(spread([*shuffled(SUITED), "JOKER"], RED, 14))
    gathering.take(spread(["BACK"], RED, 3))
    return gathering.gathered("red").profile


@pytest.fixture(scope="module")
def green(reader: Reader) -> DeckProfile:
    gathering = DeckGathering(reader)
    gathering.take(spread(shuffled(SUITED), GREEN))
    gathering.take(spread(["BACK"], GREEN, 3))
    return gathering.gathered("green").profile


# ---- learning a deck --------------------------------------------------------------------------
def test_a_whole_deck_is_learned_from_one_spread(red: DeckProfile) -> None:
    assert (red.kind, red.missing, red.double, red.jokers) == ("suited", (), (), 1)
    assert red.complete
    assert set(red.labels) == {*SUITED, "JOKER"}
    assert len(red.backs) > 0


def test_a_lost_seven_and_a_second_queen_are_found(reader: Reader) -> None:
    cards = [card if card != "7H" else "QS" for card in SUITED]
    cards[0], cards[33] = cards[33], cards[0]  # the second queen lies far from the first
    gathering = DeckGathering(reader)
    gathering.take(spread(cards))
    profile = gathering.gathered("short").profile
    assert profile.missing == ("7H",)
    assert profile.double == ("QS",)


def turned_over(*styles: DeckStyle) -> Image:
    """Face-down cards side by side in rows of three."""
    tiles = [spread(["BACK"], style, 1) for style in styles]
    return np.vstack([np.hstack(tiles[k : k + 3]) for k in range(0, len(tiles), 3)])


def test_a_card_with_another_back_is_found_when_the_deck_is_turned_over(reader: Reader) -> None:
    gathering = DeckGathering(reader)
    gathering.take(spread(SUITED[:13], RED))
    gathering.take(turned_over(RED, RED, RED, RED, DeckStyle(back="blue vines"), RED))
    (stranger,) = gathering.gathered("mixed").strange
    assert stranger.picture == 2
    assert stranger.at_px == pytest.approx((250, 315), abs=60)


def test_a_deck_of_one_back_has_no_stranger(reader: Reader) -> None:
    gathering = DeckGathering(reader)
    gathering.take(turned_over(*[GREEN] * 6))
    assert gathering.gathered("green").strange == ()


def test_of_few_backs_none_is_strange(reader: Reader) -> None:
    gathering = DeckGathering(reader)
    gathering.take(turned_over(RED, GREEN, RED))
    assert gathering.gathered("two decks").strange == ()


def test_a_deck_of_numbers_is_known_as_one(reader: Reader) -> None:
    gathering = DeckGathering(reader)
    gathering.take(spread(NUMBERED, RED, 6))
    profile = gathering.gathered("xix").profile
    assert profile.kind == "numbers"
    assert profile.missing == ()


def test_leafing_through_in_a_video_is_as_good(reader: Reader) -> None:
    gathering = DeckGathering(reader)
    for first in range(0, 12, 3):
        for again in range(2):  # each card is seen in two pictures, one after the other
            gathering.take(spread(SUITED[first : first + 3], RED, 3), follows=first + again > 0)
    profile = gathering.gathered("leafed").profile
    assert set(profile.labels) == set(SUITED[:12])
    assert profile.double == ()


def leafed(reader: Reader, cards: Sequence[str]) -> tuple[str, ...]:
    """What is seen again when cards are laid on one pile, each shown in two pictures."""
    gathering = DeckGathering(reader)
    for number, card in enumerate(cards):
        for again in range(2):
            gathering.take(spread([card], RED, 1), follows=number + again > 0)
    return gathering.gathered("leafed").again


def test_a_second_seven_is_noticed_while_leafing_through(reader: Reader) -> None:
    assert leafed(reader, ["7H", "QS", "2C", "7H", "4D", "9S"]) == ("7H",)


def test_whoever_leafs_back_shows_no_second_card(reader: Reader) -> None:
    assert leafed(reader, ["7H", "QS", "2C", "QS", "7H"]) == ()


def test_a_card_that_a_hand_hid_for_a_moment_is_no_second_one(reader: Reader) -> None:
    assert leafed(reader, ["7H", "BACK", "7H", "4D"]) == ()


@given(
    st.integers(1, 5).flatmap(
        lambda rows: st.lists(
            st.lists(st.integers(0, 20), min_size=6, max_size=6), min_size=rows, max_size=rows
        )
    )
)
def test_unsure_cards_are_paired_at_the_least_cost(costs: list[list[int]]) -> None:
    cost = np.array(costs, float)
    pairs = cheapest_pairs(cost)
    assert len(set(pairs)) == len(cost)
    ours = cost[np.arange(len(cost)), pairs].sum()
    assert ours == min(
        sum(cost[row, column] for row, column in enumerate(columns))
        for columns in permutations(range(6), len(cost))
    )


# ---- reading with it --------------------------------------------------------------------------
def names(cards: Sequence[CardRead]) -> list[str]:
    return sorted(card.label for card in cards if card.label not in ("??", "BACK"))


def test_a_dim_blurred_table_is_no_less_surely_read_with_the_deck(
    reader: Reader, red: DeckProfile
) -> None:
    cards = shuffled(SUITED)[:26]
    table = spread(cards)
    small = cv2.resize(table, None, fx=0.62, fy=0.62, interpolation=cv2.INTER_AREA)
    dim = (cv2.GaussianBlur(small, (0, 0), 1.1) * 0.45).astype(np.uint8)
    knowing = app.open_reader(None, 1, profiles=(red,))
    right = [len(set(names(one.read(dim).cards)) & set(cards)) for one in (reader, knowing)]
    wrong = [len(set(names(one.read(dim).cards)) - set(cards)) for one in (reader, knowing)]
    assert right[1] >= right[0] - 1
    assert wrong[1] <= wrong[0]
    assert right[1] >= 20


def test_a_card_that_was_not_learned_can_still_be_read(reader: Reader, red: DeckProfile) -> None:
    kept = [k for k, label in enumerate(red.labels) if label[0] != "K"]
    kingless = DeckProfile(
        "kingless", "suited", tuple(red.labels[k] for k in kept), red.crops[kept], red.backs
    )
    knowing = app.open_reader(None, 1, profiles=(kingless,))
    assert set(names(knowing.read(spread(["KH", "4C", "KS"], RED, 3)).cards)) == {"KH", "4C", "KS"}


def test_a_learned_deck_is_known_to_the_process_that_reads(
    reader: Reader, red: DeckProfile
) -> None:
    knowing = app.open_reader(None, 1, profiles=(red,))
    table = spread(["KH", "BACK", "4C"], RED, 3)
    with ReaderAside(knowing) as aside:
        reads, _ = aside.glance(table, 1.0)
    assert reads == knowing.glance(table, 1.0)[0]
    assert reads != reader.glance(table, 1.0)[0]


def test_evidence_of_no_index_is_empty(reader: Reader, red: DeckProfile) -> None:
    told = DeckEvidence([red], reader.features).told(np.zeros((0, 1296), np.float32), np.zeros(0))
    assert (told.rank.shape, told.suit.shape) == ((0, 23), (0, 5))


def test_the_deck_on_the_table_is_told(
    reader: Reader, red: DeckProfile, green: DeckProfile
) -> None:
    for style, wanted in ((RED, red), (GREEN, green)):
        choice = DeckChoice(reader, [red, green])
        choice.take(spread(shuffled(SUITED)[10:20], style, 10))
        assert choice.chosen() is wanted


def test_an_empty_table_shows_no_deck(reader: Reader, red: DeckProfile, green: DeckProfile) -> None:
    choice = DeckChoice(reader, [red, green])
    choice.take(np.full((240, 320, 3), CLOTH, np.uint8))
    assert choice.chosen() is None


# ---- backs ------------------------------------------------------------------------------------
WHITE = np.array([245.0, 245.0, 245.0])
LAMPS = {"daylight": (1.0, 1.0, 1.0), "warm": (0.62, 0.9, 1.1), "cold": (1.15, 1.0, 0.8)}


def under(lamp: str, back: Image) -> Image:
    """A back as a camera sees it: under a lamp, half a card width blurred, cut out upright."""
    table = np.full((200, 170, 3), CLOTH, np.uint8)
    table[30:170, 35 : 35 + 98] = cv2.resize(back, (98, 140), interpolation=cv2.INTER_AREA)
    lit = np.clip(cv2.GaussianBlur(table, (0, 0), 0.8) * np.array(LAMPS[lamp]) * 0.8, 0, 255)
    quad = [(35.5, 30.0), (132.0, 29.0), (133.0, 170.0), (34.5, 169.0)]
    crop = upright_back(lit.astype(np.uint8), quad)
    assert crop is not None
    return crop


def twins() -> list[Image]:
    """Eight decks: four designs, each in its own colour and with red and blue exchanged."""
    drawn = [draw_back(name, 280)[..., :3] for name in NAMES[:4]]
    return [one for back in drawn for one in (back, np.ascontiguousarray(back[..., ::-1]))]


def learned_backs(backs: Sequence[Image]) -> list[DeckProfile]:
    none = np.zeros((0, 48, 48, 3), np.uint8)
    white = WHITE * 0.8
    return [
        DeckProfile(str(k), "suited", (), none, without_light(under("daylight", back), white)[None])
        for k, back in enumerate(backs)
    ]


@pytest.mark.parametrize("lamp", LAMPS)
def test_eight_decks_with_red_and_blue_twins_are_told_apart_under(lamp: str) -> None:
    backs = twins()
    known, white = Backs(learned_backs(backs)), WHITE * np.array(LAMPS[lamp]) * 0.8
    for k, back in enumerate(backs):
        for way_up in (back, np.ascontiguousarray(back[::-1, ::-1])):
            assert known.owner([under(lamp, way_up)], white).deck == str(k)


def test_a_back_of_a_deck_that_was_not_learned_is_nobodys() -> None:
    backs = twins()
    stranger = draw_back(NAMES[6], 280)[..., :3]
    white = WHITE * np.array(LAMPS["warm"]) * 0.8
    owner = Backs(learned_backs(backs)).owner([under("warm", stranger)], white)
    assert owner.deck is None


def test_white_paper_is_taken_from_face_up_cards(reader: Reader) -> None:
    table = spread(["7H"], RED, 1)
    dim = (table * np.array([0.5, 0.7, 0.8])).astype(np.uint8)
    white = paper_white(dim, reader.read(dim).cards)
    assert white is not None
    assert white == pytest.approx(np.array(RED.paper) * [0.5, 0.7, 0.8], abs=6)
    assert paper_white(dim, ()) is None


def test_a_face_down_card_on_the_table_says_whose_it_is(
    red: DeckProfile, green: DeckProfile
) -> None:
    knowing = app.open_reader(None, 1, profiles=(red, green))
    for style, name in ((RED, "red"), (GREEN, "green")):
        table = np.hstack([spread(["7H"], style, 1), spread(["BACK"], style, 1)])
        backs = [card.back for card in knowing.read(table).cards if card.label == "BACK"]
        assert backs == [name]


# ---- the files --------------------------------------------------------------------------------
def test_a_deck_is_read_as_it_was_written(red: DeckProfile, tmp_path: Path) -> None:
    write_deck(red, tmp_path / "red.toml")
    again = read_deck(tmp_path / "red.toml")
    assert (again.labels, again.kind, again.jokers) == (red.labels, red.kind, red.jokers)
    assert np.array_equal(again.crops, red.crops)
    assert np.array_equal(again.backs, red.backs)
    assert (tmp_path / "red.npz").stat().st_size < 2_000_000


def broken(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("jokers = 1", 'jokers = 1\nfavourite = "7H"', "favourite is no key"),
        ("jokers = 1", "", "jokers is missing"),
        ("jokers = 1", 'jokers = "many"', "no number of jokers"),
        ("version = 1", "version = 9", "no learned deck of version 1"),
        ('cards = "suited"', 'cards = "tarot"', "neither"),
        ('"AC"', '"14C"', "no card of such a deck"),
        ('name = "red"', 'name = "../red"', "no name of a deck"),
        ("missing = [", "missing = [[", "no TOML"),
    ],
)
def test_a_spoiled_deck_file_is_refused_with_one_line(
    red: DeckProfile, tmp_path: Path, old: str, new: str, says: str
) -> None:
    path = tmp_path / "red.toml"
    write_deck(red, path)
    path.write_text(broken(path.read_text(), old, new))
    with pytest.raises(DeckFileError, match=says):
        read_deck(path)


@given(data=st.binary(max_size=300), cut=st.integers(0, 4000))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_random_bytes_are_no_deck(red: DeckProfile, tmp_path: Path, data: bytes, cut: int) -> None:
    path = tmp_path / "red.toml"
    write_deck(red, path)
    whole = path.with_suffix(".npz").read_bytes()
    path.with_suffix(".npz").write_bytes(whole[:cut] + data)
    with pytest.raises(DeckFileError):
        read_deck(path)
    path.write_bytes(data)
    with pytest.raises(DeckFileError):
        read_deck(path)


def test_pictures_of_another_size_are_refused(red: DeckProfile, tmp_path: Path) -> None:
    write_deck(red, tmp_path / "red.toml")
    held = io.BytesIO()
    np.savez_compressed(held, crops=red.crops[:, :40], backs=red.backs)
    (tmp_path / "red.npz").write_bytes(held.getvalue())
    with pytest.raises(DeckFileError, match="48 x 48"):
        read_deck(tmp_path / "red.toml")


# ---- the commands -----------------------------------------------------------------------------
def test_a_deck_is_calibrated_and_used(referee: Referee, tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.mkdir()
    write_picture(deck / "1.png", spread(shuffled(SUITED)[:26]))
    write_picture(deck / "2.png", spread([*shuffled(SUITED)[26:51], "BACK"]))
    done = referee(
        "calibrate", "deck", "--source", deck, "--deck-name", "red", "--json", cwd=tmp_path
    )
    found = json.loads(done.out)
    assert done.code == 1, done.err
    assert found["missing"] == [shuffled(SUITED)[51]]
    assert found["named_with"] >= found["named_without"]
    assert (tmp_path / "calibration/decks/red.png").is_file()
    table = write_picture(tmp_path / "table.png", spread(["7H", "QS", "2D"], RED, 3))
    for name in ("red", "auto", "calibration/decks/red.toml"):
        seen = referee("see", table, "--deck", name, "--json", cwd=tmp_path)
        assert seen.code == 0, seen.err
        assert {c["label"] for c in json.loads(seen.out)["cards"]} >= {"7H", "QS", "2D"}
    unknown = referee("see", table, "--deck", "grey", cwd=tmp_path)
    assert unknown.code == 2
    assert "learned are: red" in one_line(unknown.err)


def test_a_video_of_a_deck_is_enough(referee: Referee, tmp_path: Path) -> None:
    frames = [spread(SUITED[k : k + 4], RED, 4) for k in (0, 0, 4, 4, 8, 8)]
    video = write_video(tmp_path / "leafed.avi", frames, rate_fps=4.0)
    done = referee(
        "calibrate", "deck", "--source", video, "-o", tmp_path / "d.toml", "--json", cwd=tmp_path
    )
    assert json.loads(done.out)["seen"] == 12, done.err
    assert json.loads(done.out)["double"] == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--deck-name", "My Deck"), "small letters"),
        (("-o", "deck.txt"), ".toml"),
        ((), "only 0 cards"),
    ],
)
def test_what_is_no_deck_is_said_in_one_line(
    referee: Referee, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    empty = write_picture(tmp_path / "empty.png", np.full((200, 300, 3), CLOTH, np.uint8))
    done = referee("calibrate", "deck", "--source", empty, *words, cwd=tmp_path)
    assert done.code == 2
    assert says in one_line(done.err)


# ---- teaching ---------------------------------------------------------------------------------
def teach(answers: str, *words: str | Path, cwd: Path) -> Ended:
    """`referee see --teach` with a person's answers on standard input."""
    command = [sys.executable, "-m", "referee", "see", *map(str, words)]
    done = subprocess.run(
        command, input=answers, capture_output=True, text=True, timeout=HANG_S, cwd=cwd
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    folder = tmp_path / "evening"
    folder.mkdir()
    write_picture(folder / "a.png", spread(["7H"], RED, 1))
    write_picture(folder / "b.png", spread(["QS"], RED, 1))
    return folder


def test_taught_pictures_score_as_they_were_corrected(
    evening: Path, tmp_path: Path, referee: Referee
) -> None:
    # The first picture is right; in the second somebody insists that the queen is a king.
    done = teach("\n1 KS, 2 KS\n", evening, "--teach", tmp_path / "taught", cwd=ROOT)
    assert done.code == 0, done.err
    rows = json.loads((tmp_path / "taught/labels.json").read_text())
    assert [row["image"] for row in rows] == ["a.png", "b.png"]
    assert {one["label"] for one in rows[1]["objects"]} == {"KS"}
    assert (tmp_path / "taught/images/a.png").read_bytes() == (evening / "a.png").read_bytes()
    scored = json.loads(referee("bench", "photos", tmp_path / "taught", "--json").out)
    assert (scored["n"], scored["right"], scored["wrong"]) == (4, 0.5, 0.5)


def test_teaching_understands_what_people_write(evening: Path, tmp_path: Path) -> None:
    answers = "1 ZZ\n9 7H\n+ 7H here\n1 -, 2 ?, + 10d 40 60 30\nquit\n"
    done = teach(answers, evening, "--teach", tmp_path / "taught", cwd=ROOT)
    assert done.err.count("referee: ") == 3
    (row,) = json.loads((tmp_path / "taught/labels.json").read_text())
    assert [one["label"] for one in row["objects"]] == ["IGNORE", "TD"]
    assert row["objects"][1]["box"] == [25.0, 45.0, 55.0, 75.0]


def test_what_was_taught_is_not_asked_again(evening: Path, tmp_path: Path) -> None:
    teach("\nquit\n", evening, "--teach", tmp_path / "taught", cwd=ROOT)
    done = teach("skip\n", evening, "--teach", tmp_path / "taught", cwd=ROOT)
    assert "a.png: was taught before" in done.err
    assert len(json.loads((tmp_path / "taught/labels.json").read_text())) == 1


def test_a_camera_gives_one_picture_after_the_other(tmp_path: Path) -> None:
    with camera() as phone:
        _, picture = cv2.imencode(".jpg", spread(["7H"], RED, 1))
        phone.send(*[part(picture.tobytes()), None] * 4)
        for _ in range(2):  # the next evening the camera counts its pictures anew
            done = teach("\nquit\n", phone.url(), "--teach", tmp_path / "taught", cwd=ROOT)
            assert done.code == 0, done.err
    rows = json.loads((tmp_path / "taught/labels.json").read_text())
    assert all("7H" in {one["label"] for one in row["objects"]} for row in rows)
    assert len({row["image"] for row in rows}) == len(rows) == 2


def test_a_folder_with_broken_labels_is_left_alone(evening: Path, tmp_path: Path) -> None:
    (tmp_path / "taught").mkdir()
    (tmp_path / "taught/labels.json").write_text("[{]")
    done = teach("\n", evening, "--teach", tmp_path / "taught", cwd=ROOT)
    assert done.code == 2
    assert "no set of pictures can be kept there" in one_line(done.err)
    assert (tmp_path / "taught/labels.json").read_text() == "[{]"


# ---- what cards cost --------------------------------------------------------------------------
def test_the_cost_of_more_cards_is_told(referee: Referee) -> None:
    done = referee("bench", "cards", "--most", "16", "--runs", "1", "--json")
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["cards"] for row in rows[:-1]] == [4, 8, 16]
    assert all(row["cards"] <= row["reads"] <= 2 * row["cards"] for row in rows[:-1])
    assert rows[-1]["empty_ms"] > 0


def test_what_a_laid_card_changes_is_read_and_timed() -> None:
    times_ms = changes_ms(app.open_reader(None, 1, quick=True), 1)
    assert times_ms
    assert min(times_ms) > 0.0
