"""Hands over a table: found, followed, named and timed, and nothing else taken for one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import pi, sin

import cv2
import numpy as np
import pytest
from drawn_arms import (
    Clip,
    Colour,
    Hand,
    Looks,
    Spoil,
    Tip,
    View,
    card,
    cup,
    exposure,
    flicker,
    four_players,
    lamp,
    min_jerk,
    reach,
    two_players,
)
from test_touch import blow, reach_and_rest, seen_at

from referee.table.hands import HandWatch
from referee.values import (
    Actor,
    Event,
    HandOff,
    HandOn,
    HandSeen,
    PointMm,
    TablePlan,
    Touch,
    Zone,
)
from referee.vision.arms_seat import right_evidence
from referee.vision.arms_shape import Arm
from referee.vision.arms_track import Motion, Track
from referee.vision.frames import Frame
from referee.vision.hands import FieldError, Hands
from referee.vision.shutter import Shutter

MID = Zone("mid", (600.0, 330.0), 0.0, 104.0, 108.0)
PLAY_A = Zone("play.A", (760.0, 330.0), 0.0, 85.0, 108.0)
PLAN = two_players((MID, PLAY_A))

FRAME_NS = 33_000_000
PALE: Colour = (205, 208, 210)
PLAIN, OTHER = Looks(), Looks(seed=1)
A_RIGHT, A_LEFT = (790.0, -260.0), (410.0, -260.0)
B_RIGHT, B_LEFT = (410.0, 920.0), (790.0, 920.0)


def arm_of_a(
    looks: Looks = PLAIN, there: PointMm = (610.0, 320.0), arrive_s: float = 0.8,
    leave_s: float = 1.2, *, slap: bool = False,
) -> Hand:  # fmt: skip
    way = reach((760.0, -80.0), there, arrive_s, leave_s, slap=slap)
    return Hand(looks, A_RIGHT, way)


def arm_of_b(
    looks: Looks = OTHER, there: PointMm = (600.0, 350.0), arrive_s: float = 0.8,
    leave_s: float = 1.2,
) -> Hand:  # fmt: skip
    return Hand(looks, B_RIGHT, reach((440.0, 740.0), there, arrive_s, leave_s))


def followed(
    frames: Iterable[Frame], plan: TablePlan = PLAN, view: View | None = None
) -> Iterator[tuple[float, tuple[HandSeen, ...]]]:
    hands = Hands(view or View(), plan)
    for frame in frames:
        yield (frame.t_ns or 0) / 1e9, hands.step(frame)


def outline(
    reach_mm: float, *, own: bool = True, root_mm: float = 600.0, to_mm: float = 600.0
) -> Arm:
    """An arm up the table that touches another one's: from one x at its edge to another."""
    at, all_of_it = np.zeros(1, np.intp), np.ones(1, np.bool_)
    root, tip = np.array([root_mm, 0.0]), np.array([to_mm, reach_mm])
    surely = np.full(1, own)
    return Arm(root, tip, (0.0, 0.0), at, at, all_of_it, all_of_it, surely, True, 0.0, 1.0)


def lone(arm: Arm) -> Arm:
    """The same arm where it touches none."""
    return replace(arm, shared=False)


def all_of(frames: Iterable[Frame], plan: TablePlan = PLAN) -> list[HandSeen]:
    return [hand for _, hands in followed(frames, plan) for hand in hands]


def apart(a: PointMm, b: PointMm) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


# What is found.


def test_a_hand_is_followed_from_the_edge_to_its_place_and_back() -> None:
    hand = arm_of_a()
    seen = dict(followed(Clip((hand,)).frames(1.9)))
    assert all(len(seen[t]) <= 1 for t in seen)
    over = {t: hands[0] for t, hands in seen.items() if hands}
    assert len({one.id for one in over.values()}) == 1
    for t_s, one in over.items():
        tip = hand.tip(t_s)
        assert tip is None or apart(one.tip_mm, tip) < 40
    resting = [one for t, one in over.items() if 0.85 < t < 1.2]
    assert len(resting) >= 9
    assert {(one.seat, one.hand) for one in resting} == {("A", "R")}
    assert all(one.root_mm[1] < 30 for one in resting)
    assert all(one.speed_mm_s < 10 for one in resting)
    x0, y0, x1, y1 = resting[-1].box_mm
    assert x0 < 610 < x1
    assert 90 < y1 - y0 < 260
    assert not seen[max(seen)]


def test_a_hand_that_comes_in_with_its_fingers_only_is_seen_at_a_pile_at_the_edge() -> None:
    # Who takes a card off the stock before him hardly reaches over the table.
    hand = arm_of_a(there=(760.0, 72.0))
    resting = [
        h for t, hands in followed(Clip((hand,)).frames(1.9)) if 0.85 < t < 1.2 for h in hands
    ]
    assert len(resting) >= 9
    assert all(apart(one.tip_mm, (760.0, 72.0)) < 40 for one in resting)


LOOKS: dict[str, tuple[Looks, Colour]] = {
    "light skin, bare arm, green cloth": (Looks((170, 195, 235), (170, 195, 235)), (60, 95, 45)),
    "brown skin, bare arm, grey cloth": (Looks((60, 85, 130), (60, 85, 130)), (128, 128, 128)),
    "dark skin, white sleeve, wood": (Looks((40, 52, 84), (235, 235, 235)), (70, 104, 152)),
    "dark skin, black sleeve, wood": (Looks((40, 52, 84), (25, 25, 25)), (70, 104, 152)),
    "black glove and sleeve, grey cloth": (Looks((28, 28, 28), (28, 28, 28)), (150, 150, 150)),
    "white glove, blue sleeve, black cloth": (Looks((225, 225, 225), (140, 60, 30)), (28, 28, 28)),
    "yellow glove, red sleeve, blue cloth": (Looks((30, 190, 220), (40, 40, 170)), (130, 70, 40)),
}


@pytest.mark.parametrize("name", LOOKS)
def test_any_skin_sleeve_and_glove_is_a_hand(name: str) -> None:
    looks, cloth = LOOKS[name]
    hand = arm_of_a(looks, there=(600.0, 300.0))
    resting = [h for t, hands in followed(Clip((hand,), cloth).frames(1.2)) if t > 0.85
               for h in hands]  # fmt: skip
    assert len(resting) >= 9
    assert {(one.seat, one.hand) for one in resting} == {("A", "R")}
    assert all(apart(one.tip_mm, (600.0, 300.0)) < 50 for one in resting)


def test_a_dark_arm_over_wood_of_its_colour_is_a_hand_where_it_reaches_over_cards() -> None:
    """Its shade of the wood is a shadow's; what it hides of the cards cast none beside it."""
    wood, skin = (45, 80, 130), (25, 44, 72)
    rows = tuple(card((540.0 + 64.0 * k, y_mm)) for y_mm in (75.0, 205.0) for k in range(5))
    hand = arm_of_a(Looks(skin, skin), there=(600.0, 320.0))
    resting = [h for t, hands in followed(Clip((hand,), wood, rows).frames(1.2)) if t > 0.85
               for h in hands]  # fmt: skip
    assert len(resting) >= 9
    assert all(apart(one.tip_mm, (600.0, 320.0)) < 50 for one in resting)


def test_both_hands_of_a_player_are_told_apart() -> None:
    right = arm_of_a(there=(700.0, 200.0))
    left = Hand(Looks(left=True), A_LEFT, reach((440.0, -80.0), (500.0, 220.0), 0.7, 1.2))
    sides = {
        (round(h.tip_mm[0], -2), h.seat, h.hand)
        for t, hands in followed(Clip((left, right)).frames(1.2))
        if t > 0.9
        for h in hands
    }
    assert sides == {(500.0, "A", "L"), (700.0, "A", "R")}


def arm_track(number: int, t_ns: int, root_mm: float, to_mm: float, frames: int = 8) -> Track:
    """One of A's arms, followed for some frames until a time."""
    places = {place.seat: place for place in PLAN.seats}
    track = Track(number, outline(250.0, root_mm=root_mm, to_mm=to_mm), t_ns - frames * FRAME_NS, 0)
    for k in range(1, frames + 1):
        arm = outline(250.0, root_mm=root_mm, to_mm=to_mm)
        track.follow(arm, None, t_ns + (k - frames) * FRAME_NS)
        track.vote(places)
    track.name(())
    return track


def test_two_arms_that_cross_are_told_apart_though_both_were_lost_for_a_moment() -> None:
    lost = [arm_track(1, 500_000_000, 680.0, 640.0), arm_track(2, 500_000_000, 520.0, 560.0)]
    left = arm_track(3, 700_000_000, 540.0, 760.0)
    right = arm_track(4, 700_000_000, 660.0, 440.0)
    tracks = [*lost, left, right]
    assert [left.side(tracks), right.side(tracks)] == ["L", "R"]


def test_a_right_hand_is_no_left_one_because_a_piece_of_it_was_followed_for_a_moment() -> None:
    piece = arm_track(1, 500_000_000, 800.0, 780.0, frames=2)
    hand = arm_track(2, 700_000_000, 690.0, 640.0)
    assert hand.side([piece, hand]) == "R"


def test_of_a_short_piece_of_arm_it_is_little_known_where_it_comes_from() -> None:
    place, root = PLAN.seats[0], (640.0, 0.0)
    short, long = (right_evidence(place, root, tip, 0.0) for tip in ((626.0, 70.0), (580.0, 300.0)))
    assert 0.0 < short < long / 2


def test_the_player_across_has_right_and_left_the_other_way_round() -> None:
    seen = all_of(Clip((arm_of_b(),)).frames(1.2))
    assert {(one.seat, one.hand) for one in seen[5:]} == {("B", "R")}


def test_four_players_are_told_by_where_their_arms_come_from() -> None:
    plan = four_players()
    hands = tuple(
        Hand(Looks(seed=n), (x + side * 190, y_far), reach((x + side * 150, y_away), tip, 0.7, 1.2))
        for n, (x, y_far, y_away, side, tip) in enumerate(
            (
                (300.0, -260.0, -80.0, 1, (420.0, 220.0)),
                (300.0, 920.0, 740.0, -1, (250.0, 450.0)),
                (900.0, 920.0, 740.0, -1, (800.0, 450.0)),
                (900.0, -260.0, -80.0, 1, (900.0, 220.0)),
            )
        )
    )
    late = [h for t, seen in followed(Clip(hands).frames(1.2), plan) if t > 0.9 for h in seen]
    assert {(h.seat, h.hand) for h in late} == {("A", "R"), ("B", "R"), ("C", "R"), ("D", "R")}


def test_who_has_two_arms_on_the_table_has_no_third() -> None:
    # An arm half-way between two neighbours, one of whom has both hands there already.
    plan = four_players()
    left = Hand(Looks(seed=1, left=True), (710.0, -260.0),
                reach((720.0, -80.0), (760.0, 220.0), 0.6, 2.0))  # fmt: skip
    right = Hand(Looks(seed=2), (1090.0, -260.0),
                 reach((1070.0, -80.0), (980.0, 220.0), 0.6, 2.0))  # fmt: skip
    between = Hand(Looks(seed=3), (560.0, -260.0),
                   reach((550.0, -80.0), (500.0, 230.0), 0.8, 2.0))  # fmt: skip
    late = [h for t, seen in followed(Clip((left, right, between)).frames(1.4), plan) if t > 1.1
            for h in seen]  # fmt: skip
    assert {(round(h.tip_mm[0], -2), h.seat) for h in late} == {
        (500.0, "A"), (800.0, "D"), (1000.0, "D"),
    }  # fmt: skip


def test_an_arm_from_a_side_at_which_nobody_sits_is_nobodys() -> None:
    way = reach((-80.0, 240.0), (260.0, 120.0), 0.8, 2.0)
    passer = Hand(Looks(seed=4), (-320.0, 330.0), way)
    late = [h for t, seen in followed(Clip((passer,)).frames(1.8)) if t > 0.9 for h in seen]
    assert len(late) > 20
    assert {h.seat for h in late} == {None}


def test_whose_hand_was_clear_stays_so_where_it_reaches_to_between_two_neighbours() -> None:
    def tip(t_s: float) -> PointMm | None:
        if t_s < 0.9:
            return reach((440.0, -80.0), (330.0, 200.0), 0.6, 9.0)(t_s)
        return 330.0 + 370.0 * min((t_s - 0.9) / 0.5, 1.0), 200.0

    hand = Hand(Looks(seed=1), (490.0, -260.0), tip)
    late = [h for t, seen in followed(Clip((hand,)).frames(2.4), four_players()) if t > 0.7
            for h in seen]  # fmt: skip
    assert len(late) > 40
    assert {h.seat for h in late} == {"A"}


def test_two_hands_meet_over_one_spot_and_keep_their_names() -> None:
    mine = arm_of_a(there=(600.0, 340.0), arrive_s=0.7, leave_s=1.3)
    yours = arm_of_b(there=(590.0, 345.0), arrive_s=0.85, leave_s=1.1)
    seen = list(followed(Clip((mine, yours)).frames(1.6)))
    ids = {(h.id, h.seat) for t, hands in seen if 0.75 < t < 1.45 for h in hands if h.seat}
    assert sorted(seat for _, seat in ids) == ["A", "B"]
    together = [hands for t, hands in seen if 0.9 < t < 1.05]
    assert all(len(hands) == 2 for hands in together)
    assert all(hand.joined for hands in together for hand in hands)
    assert not any(hand.joined for t, hands in seen if t < 0.5 for hand in hands)


def test_a_hand_that_lies_on_a_spot_does_not_move_as_another_comes_down_on_it() -> None:
    mine = arm_of_a(there=(600.0, 400.0), arrive_s=0.7, leave_s=1.6, slap=True)
    yours = arm_of_b(there=(600.0, 250.0), arrive_s=0.95, leave_s=1.6)
    meeting = (
        hand
        for t, hands in followed(Clip((mine, yours)).frames(1.3))
        if 0.75 < t < 1.2
        for hand in hands
        if hand.joined and hand.seat == "A"
    )
    assert max(hand.speed_mm_s for hand in meeting) < 20.0


@pytest.mark.parametrize(("own", "ends_at_mm"), [(False, 300.0), (True, 400.0)])
def test_a_hand_at_rest_goes_on_to_an_end_only_if_that_is_surely_its_own(
    own: bool, ends_at_mm: float
) -> None:
    track = Track(1, outline(300.0), 0, 0)
    for frame in range(1, 12):
        track.follow(outline(400.0, own=own), Motion(0.0, np.zeros(2)), frame * 33_000_000)
    assert track.tip_mm[1] == ends_at_mm


@pytest.mark.parametrize(
    ("far_mm", "found", "moves"), [(70.0, False, False), (70.0, True, False), (20.0, True, True)]
)
def test_no_hand_is_so_fast_at_once_from_rest_its_outline_shows_otherwise(
    far_mm: float, found: bool, moves: bool
) -> None:
    track = Track(1, outline(300.0), 0, 0)
    for frame in range(1, 8):
        track.follow(lone(outline(300.0)), Motion(0.0, np.zeros(2)), frame * FRAME_NS)
    shift = Motion(far_mm, np.array([0.0, far_mm])) if found else None
    track.follow(lone(outline(300.0 + far_mm)), shift, 8 * FRAME_NS)
    assert (track.speed_mm_s > 100.0) == moves


def test_a_hand_that_works_at_the_side_of_the_table_is_one_hand() -> None:
    hand = Hand(OTHER, (130.0, 920.0), reach((120.0, 740.0), (30.0, 320.0), 0.7, 1.4))
    seen = all_of(Clip((hand,)).frames(1.8))
    assert {h.id for h in seen} == {1}


def test_the_picture_may_be_turned_or_cut_off() -> None:
    for view in (View(180.0), View(8.0), View(0.0, 1.2)):
        clip = Clip((arm_of_a(there=(600.0, 320.0)),), view=view)
        late = [h for t, hands in followed(clip.frames(1.2), view=view) if t > 0.9 for h in hands]
        assert len(late) >= 8
        assert {(h.seat, h.hand) for h in late} == {("A", "R")}
        assert all(apart(h.tip_mm, (600.0, 320.0)) < 50 for h in late)


# What is no hand.


@pytest.mark.parametrize("spoil", [None, flicker, exposure, lamp])
def test_no_light_makes_a_hand(spoil: Spoil | None) -> None:
    things = (card((500.0, 300.0)), card((640.0, 400.0)))
    assert all_of(Clip((), things=things, spoil=spoil).frames(1.5)) == []


@pytest.mark.parametrize("spoil", [flicker, exposure, lamp])
def test_in_bad_light_a_hand_is_still_one_hand(spoil: Spoil) -> None:
    seen = list(followed(Clip((arm_of_a(),), spoil=spoil).frames(1.9)))
    late = [hands for t, hands in seen if 0.85 < t < 1.2]
    assert all(len(hands) == 1 for hands in late)
    assert len({hands[0].id for hands in late}) == 1
    assert seen[-1][1] == ()


def test_a_keyboard_that_is_suddenly_at_the_edge_is_no_hand() -> None:
    def keyboard(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        if t_s >= 0.3:
            picture[275:348, 240:400] = 40.0
            picture[280:340:12, 245:395] = 200.0

    hand = arm_of_a(there=(300.0, 400.0), arrive_s=1.6, leave_s=2.0)
    seen = list(followed(Clip((hand,), things=(keyboard,)).frames(2.1)))
    assert [hands for t, hands in seen if t < 1.1 and hands] == []
    assert all(len(hands) == 1 for t, hands in seen if 1.65 < t < 2.0)


def test_cups_and_cards_that_come_to_lie_are_no_hands() -> None:
    things = (cup((300.0, 300.0), 0.2), card((600.0, 300.0), 0.3), card((700.0, 60.0), 0.4))
    assert all_of(Clip((), things=things).frames(1.2)) == []


def test_a_card_slid_over_the_table_is_no_hand() -> None:
    def sliding(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        card((300.0 + 300.0 * min(t_s, 1.0), 330.0))(picture, t_s)

    assert all_of(Clip((), things=(sliding,)).frames(1.0)) == []


def test_a_pale_watch_on_a_pale_table_does_not_cut_the_hand_off() -> None:
    dark = Looks((40, 52, 84), (40, 52, 84))
    hand = arm_of_a(dark, there=(600.0, 330.0), leave_s=2.2)

    def watch(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        tip = hand.tip(t_s)
        if tip is not None:
            back = np.subtract(A_RIGHT, tip) / np.hypot(*np.subtract(A_RIGHT, tip))
            ends = (np.add(tip, back * 195 + side * np.array([-back[1], back[0]])) for side in
                    (-60, 60))  # fmt: skip
            (x0, y0), (x1, y1) = (View().to_px(np.array([end]))[0].round().astype(int)
                                  for end in ends)  # fmt: skip
            cv2.line(picture, (int(x0), int(y0)), (int(x1), int(y1)), PALE, 12)

    def worn(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float
             ) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:  # fmt: skip
        watch(picture, t_s)
        return picture

    seen = list(followed(Clip((hand,), PALE, spoil=worn).frames(2.8)))
    resting = [hands for t, hands in seen if 0.9 < t < 2.2]
    assert all(len(hands) == 1 for hands in resting)
    assert all(apart(hands[0].tip_mm, (600.0, 330.0)) < 60 for hands in resting)
    assert [hands for t, hands in seen if t > 2.7 and hands] == []


def test_white_cards_that_clip_when_the_exposure_jumps_join_no_hand() -> None:
    def exposed(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float
                ) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:  # fmt: skip
        gain = 1.3 if 0.9 < t_s < 1.3 else 1.0
        return np.asarray(np.minimum(picture * gain, 255.0), np.float32)

    def ivory(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        picture[150:230, 300:420] = (214.0, 232.0, 246.0)

    things = (ivory,)
    hand = arm_of_a(there=(600.0, 270.0), arrive_s=0.7, leave_s=1.6)
    clip = Clip((hand,), (34, 30, 28), things, exposed)
    seen = list(followed(clip.frames(2.3)))
    resting = [hands for t, hands in seen if 0.75 < t < 1.6]
    assert all(len(hands) == 1 for hands in resting)
    assert all(apart(hands[0].tip_mm, (600.0, 270.0)) < 60 for hands in resting)
    assert [hands for t, hands in seen if t > 2.1 and hands] == []


def test_a_laid_card_stays_and_the_hand_that_laid_it_goes() -> None:
    hand = arm_of_a(there=(610.0, 300.0), leave_s=0.85)
    clip = Clip((hand,), things=(card((605.0, 318.0), 0.8),))
    seen = list(followed(clip.frames(2.0)))
    withdrawing = [h for t, hands in seen if 1.05 < t < 1.2 for h in hands]
    assert withdrawing
    assert all(h.tip_mm[1] < 290 for h in withdrawing)
    assert [hands for t, hands in seen if t > 1.6 and hands] == []


def test_a_card_laid_at_the_edge_is_no_hand_once_it_was_read_there() -> None:
    place = (610.0, 50.0)
    hand = arm_of_a(there=(610.0, 80.0), leave_s=0.95)
    corners_mm = [
        (place[0] + x, place[1] + y) for x, y in ((-38, -50), (38, -50), (38, 50), (-38, 50))
    ]
    hands, seen = Hands(View(), PLAN), []
    for frame in Clip((hand,), things=(card(place, 0.8),)).frames(2.4):
        t_s = (frame.t_ns or 0) / 1e9
        if t_s > 1.5:
            hands.free(View().to_px(np.array(corners_mm)))
        seen.append((t_s, hands.step(frame)))
    assert any(hands for t_s, hands in seen if 0.75 < t_s < 0.95)
    assert [hands for t_s, hands in seen if t_s > 1.6 and hands] == []


def test_a_card_laid_at_the_edge_is_no_hand_for_long_though_nobody_reads_it() -> None:
    hand = arm_of_a(there=(610.0, 80.0), leave_s=0.95)
    seen = list(followed(Clip((hand,), things=(card((610.0, 50.0), 0.8),)).frames(3.0)))
    assert any(hands for t_s, hands in seen if 0.75 < t_s < 0.95)
    assert [hands for t_s, hands in seen if t_s > 2.4 and hands] == []


@pytest.mark.parametrize("reach_mm", [80.0, 95.0, 110.0])
def test_a_hand_that_rests_at_the_edge_is_no_card(reach_mm: float) -> None:
    hand = arm_of_a(there=(680.0, reach_mm), leave_s=9.0)
    seen = list(followed(Clip((hand,)).frames(4.0)))
    assert all(len(hands) == 1 for t_s, hands in seen if t_s > 1.0)


STARTS_ON: dict[str, tuple[Looks, Colour]] = {
    "light skin, blue sleeve, green cloth": (PLAIN, (60, 95, 45)),
    "dark skin, bare arm, pale table": (Looks((40, 52, 84), (40, 52, 84)), PALE),
    "black glove and sleeve, grey cloth": (Looks((28, 28, 28), (28, 28, 28)), (150, 150, 150)),
}


@pytest.mark.parametrize("name", STARTS_ON)
def test_a_hand_that_lay_there_from_the_first_frame_is_told_when_it_leaves(name: str) -> None:
    looks, cloth = STARTS_ON[name]
    clip = Clip((arm_of_a(looks, leave_s=1.5),), cloth, things=(card((400.0, 300.0)),))
    watch, told = HandWatch(PLAN), list[Event]()
    seen = list(followed(clip.frames(2.4, from_s=0.9)))
    for t_s, hands in seen:
        told += watch.step(hands, round(t_s * 1e9))
    (off,) = told
    assert isinstance(off, HandOff)
    assert (off.zone, off.actor.seat) == ("mid", "A")
    assert off.u_ns is not None
    assert abs(off.t_ns / 1e9 - 1.5) <= off.u_ns / 1e9
    assert off.u_ns <= 60_000_000
    # It leaves no outline behind.
    assert [hands for t, hands in seen if t > 2.1 and hands] == []


@pytest.mark.parametrize("cloth", [(60, 95, 45), PALE, (35, 60, 95)])
def test_who_shuffles_over_the_markers_as_the_camera_opens_leaves_no_hand_behind(
    cloth: Colour,
) -> None:
    def shuffling(at_mm: PointMm, begun: float) -> Tip:
        def tip(t_s: float) -> PointMm | None:
            x, y = at_mm
            if t_s >= 1.0:
                gone = min_jerk((t_s - 1.0) / 0.5)
                return (x + 100 * gone, y - 500 * gone) if t_s < 1.5 else None
            return x + 12 * sin(4 * pi * t_s + begun), y + 10 * sin(5 * pi * t_s + begun)

        return tip

    left = Hand(PLAIN, (180.0, -260.0), shuffling((70.0, 330.0), 0.0))
    right = Hand(PLAIN, (520.0, -260.0), shuffling((180.0, 330.0), 1.9))
    markers = tuple(card((30.0, y)) for y in (60.0, 190.0, 320.0, 450.0))
    seen = list(followed(Clip((left, right), cloth, things=markers).frames(3.0)))
    assert any(hands for t_s, hands in seen if t_s < 1.0)
    assert [hands for t_s, hands in seen if t_s > 2.2 and hands] == []


def test_a_hand_that_lay_there_goes_on_to_a_slap() -> None:
    def tip(t_s: float) -> PointMm:
        way = min(max((t_s - 1.2) / 0.35, 0.0), 1.0) ** 2
        return 600.0 + 160.0 * way, 170.0 + 160.0 * way

    watch, told = HandWatch(PLAN), list[Event]()
    for t_s, hands in followed(Clip((Hand(PLAIN, A_RIGHT, tip),)).frames(2.1)):
        told += watch.step(hands, round(t_s * 1e9))
    (on,) = told
    assert isinstance(on, HandOn)
    assert (on.zone, str(on.actor)) == ("play.A", "A.R")
    assert on.u_ns is not None
    assert abs(on.t_ns / 1e9 - 1.55) <= on.u_ns / 1e9


def test_a_hand_that_nobody_could_see_lying_there_slaps_nothing_as_it_goes() -> None:
    # On a cloth as motley as skin the first frame does not tell the hand; where it lay, a piece of
    # its outline stays for some frames.
    def motley(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        stripes = np.arange(picture.shape[1]) // 30 % 3
        picture += np.array([(0, 0, 0), (70, 60, 120), (90, 20, 10)])[stripes][None]

    clip = Clip((arm_of_a(leave_s=1.5),), things=(motley,))
    watch, told = HandWatch(PLAN), list[Event]()
    for t_s, hands in followed(clip.frames(2.6, from_s=0.9)):
        told += watch.step(hands, round(t_s * 1e9))
    assert not [event for event in told if isinstance(event, HandOn)]


def test_what_lies_at_the_edge_from_the_first_frame_is_no_hand() -> None:
    def phone(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float) -> None:
        picture[265:345, 150:190] = (25.0, 25.0, 25.0)

    column = tuple(card((850.0, 40.0 + 22.0 * n)) for n in range(9))
    things = (phone, cup((1000.0, 40.0)), *column)
    hand = arm_of_a(there=(600.0, 320.0))
    watch, told = HandWatch(PLAN), list[Event]()
    for t_s, hands in followed(Clip((hand,), things=things).frames(1.9)):
        told += watch.step(hands, round(t_s * 1e9))
        assert all(apart(one.root_mm, (700.0, 0.0)) < 120 for one in hands)
    assert [type(event) for event in told] == [HandOn, HandOff]


def test_lights_off_and_on_make_no_hands() -> None:
    def switch(picture: np.ndarray[tuple[int, ...], np.dtype[np.float32]], t_s: float
               ) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:  # fmt: skip
        return picture * (0.04 if 0.4 < t_s < 0.8 else 1.0)

    things = (card((500.0, 300.0)), card((640.0, 400.0)))
    assert all_of(Clip((), things=things, spoil=switch).frames(1.4)) == []


def test_noise_is_no_hand_and_stops_nothing() -> None:
    rng = np.random.default_rng(1)
    pictures = (rng.integers(0, 256, (360, 640, 3)).astype(np.uint8) for _ in range(8))
    hands = Hands(View(), PLAN)
    for n, picture in enumerate(pictures):
        for hand in hands.step(Frame(picture, n * 33_000_000, 0, n, "noise")):
            assert np.isfinite(hand.tip_mm).all()


# What is said of it.


def test_hides_tells_where_the_arm_is() -> None:
    hands = Hands(View(), PLAN)
    places = np.array([(605.0, 300.0), (680.0, 100.0), (300.0, 300.0), (610.0, 500.0)])
    assert not hands.hides(View().to_px(places)).any()
    for frame in Clip((arm_of_a(),)).frames(1.0):
        hands.step(frame)
    assert hands.hides(View().to_px(places)).tolist() == [True, True, False, False]
    assert not hands.hides(np.array([[-50.0, 10.0], [9999.0, 20.0]])).any()


def test_rows_have_times_of_their_own() -> None:
    shutter = Shutter(readout_ns=20_000_000)
    assert shutter.row_time(100_000_000, 0, 0.0) == (90_000_000, 0)
    assert shutter.row_time(100_000_000, 0, 1.0) == (110_000_000, 0)
    middle, edge = (Shutter().row_time(0, 0, row)[1] for row in (0.5, 1.0))
    assert middle == 0
    assert 8_000_000 < edge < 11_000_000


def test_a_table_out_of_the_picture_is_said() -> None:
    frame = next(Clip().frames(0.1))
    far_away = View(push_px=5000.0)
    with pytest.raises(FieldError, match="hardly in the picture"):
        Hands(far_away, PLAN).step(frame)


def test_another_size_or_another_view_begins_anew() -> None:
    hands = Hands(View(), PLAN)
    for frame in Clip((arm_of_a(),)).frames(1.0):
        before = hands.step(frame)
    assert before
    small = replace(frame, image_bgr=frame.image_bgr[::2, ::2].copy())
    assert hands.step(small) == ()
    hands.moved(View(2.0))
    assert hands.step(frame) == ()


@pytest.mark.parametrize("slap", [False, True])
def test_contacts_are_timed_from_the_pixels(slap: bool) -> None:
    watch, told = HandWatch(PLAN), list[Touch]()
    clip = Clip((arm_of_a(there=(610.0, 330.0), arrive_s=0.815, leave_s=1.127, slap=slap),))
    for t_s, hands in followed(clip.frames(1.5)):
        watch.step(hands, round(t_s * 1e9))
        told += watch.touches
    on, off = told[:2]
    assert (on.on, off.on) == (True, False)
    assert abs(on.t_ns / 1e9 - 0.815) <= min(on.u_ns / 1e9, 0.025)
    assert abs(off.t_ns / 1e9 - 1.127) <= min(off.u_ns / 1e9, 0.025)


# Zones and actors, from values.


def visit(
    watch: HandWatch, there: PointMm, *, seat: str | None = "A", hand: str | None = "R",
    hand_id: int = 1, at_s: float = 0.617, from_s: float = 0.4, until_s: float = 1.4,
    lies: PointMm | None = None, of: str = "A",
) -> list[HandOn | HandOff]:  # fmt: skip
    """Let a hand reach `there` from the south at `at_s`, rest for 0.4 s and leave; events `of` one.

    Another player's hand `lies` somewhere meanwhile, and their outlines run together.
    """
    position, events = reach_and_rest(blow, 250, 0.3, at_s, 0.4), []
    for n in range(round(from_s * 30), round(until_s * 30)):
        t_s = n / 30
        speed = abs(position(t_s) - position(t_s - 1 / 30)) * 30
        tip = (there[0], there[1] - 250 + position(t_s))
        one = seen_at(round(t_s * 1e9), tip, speed, hand_id=hand_id, seat=seat, hand=hand)
        one = replace(one, joined=lies is not None)
        hands = (one,) if lies is None else (one, _lying(one.t_ns, lies))
        told = watch.step(hands, one.t_ns)
        wanted = seat if of == "A" else of
        events += [e for e in told if isinstance(e, HandOn | HandOff) and e.actor.seat == wanted]
    return events


def _lying(t_ns: int, at_mm: PointMm) -> HandSeen:
    return replace(seen_at(t_ns, at_mm, 0.5, hand_id=2, seat="B", hand="R"), joined=True)


def test_a_hand_comes_to_rest_on_a_zone_and_leaves_it() -> None:
    on, off = visit(HandWatch(PLAN), (602.0, 350.0))
    assert isinstance(on, HandOn)
    assert isinstance(off, HandOff)
    assert (on.zone, str(on.actor), off.zone) == ("mid", "A.R", "mid")
    assert abs(on.t_ns / 1e9 - 0.617) < 0.01
    assert abs(off.t_ns / 1e9 - 1.017) < 0.03
    assert on.u_ns is not None
    assert on.conf is not None
    assert on.source == "camera"


def test_fingers_beyond_the_middle_where_only_a_cut_deck_lay_are_on_the_middle() -> None:
    cut = Zone("cut.1", (600.0, 438.0), 0.0, 104.0, 108.0)
    on, _ = visit(HandWatch(two_players((MID, cut))), (602.0, 415.0))
    assert on.zone == "mid"


def test_a_palm_on_the_middle_whose_fingers_lie_on_the_other_players_cards_is_on_the_middle() -> (
    None
):
    cards = Zone("B.arr.3", (600.0, 470.0), 180.0, 85.0, 180.0)
    on, off = visit(HandWatch(two_players((MID, cards))), (602.0, 435.0))
    assert isinstance(on, HandOn)
    assert (on.zone, off.zone) == ("mid", "mid")
    assert on.conf is not None
    assert on.conf > 0.6


@pytest.mark.parametrize("there", [(602.0, 350.0), (602.0, 435.0)])
def test_when_a_hand_came_down_that_another_one_meets_is_less_sure(there: PointMm) -> None:
    cards = Zone("B.arr.3", (600.0, 470.0), 180.0, 85.0, 180.0)
    on, _ = visit(HandWatch(two_players((MID, cards))), there, lies=(610.0, 380.0))
    assert on.zone == "mid"
    assert on.u_ns is not None
    assert on.u_ns >= 80_000_000


@pytest.mark.parametrize(
    ("lies", "may"),
    [((690.0, 470.0), [0.05]), ((600.0, 150.0), [0.05]), ((850.0, 470.0), [])],
    ids=["over it with its palm", "before it", "elsewhere"],
)
def test_a_hand_that_meets_one_on_the_middle_may_have_come_down_there_too(
    lies: PointMm, may: list[float]
) -> None:
    theirs = visit(HandWatch(PLAN), (602.0, 350.0), until_s=0.9, lies=lies, of="B")
    assert [one.conf for one in theirs if one.zone == "mid" and one.t_ns > 500_000_000] == may


@pytest.mark.parametrize(("meets", "zone"), [(True, "mid"), (False, "B.arr.3")])
def test_a_hand_that_runs_into_one_on_the_middle_does_not_end_where_the_others_arm_does(
    meets: bool, zone: str
) -> None:
    cards = Zone("B.arr.3", (600.0, 520.0), 180.0, 85.0, 180.0)
    watch = HandWatch(two_players((MID, cards)))
    if meets:
        visit(watch, (602.0, 350.0), seat="B", hand_id=2, until_s=0.9)
    lies = (610.0, 380.0) if meets else None
    on = visit(watch, (602.0, 560.0), at_s=1.2, from_s=0.93, until_s=1.9, lies=lies)[0]
    assert on.zone == zone


def test_fingers_among_the_other_players_cards_are_there() -> None:
    cards = Zone("B.arr.3", (600.0, 470.0), 180.0, 85.0, 180.0)
    on, _ = visit(HandWatch(two_players((MID, cards))), (602.0, 520.0))
    assert on.zone == "B.arr.3"


def test_a_hand_off_the_zones_gives_no_event() -> None:
    assert visit(HandWatch(PLAN), (200.0, 330.0)) == []


def test_a_hand_that_nobody_knows_is_nobodys() -> None:
    on, _ = visit(HandWatch(PLAN), (602.0, 350.0), seat=None, hand=None)
    assert on.actor == Actor()


def test_who_moved_a_card_is_the_hand_that_was_there() -> None:
    watch = HandWatch(PLAN)
    visit(watch, (602.0, 350.0))
    assert watch.actor_at(500_000_000, 900_000_000, (600.0, 360.0)) == Actor("A", "R")
    assert watch.actor_at(500_000_000, 900_000_000, (60.0, 600.0)) == Actor()
    assert watch.actor_at(5_000_000_000, 6_000_000_000, (600.0, 360.0)) == Actor()


def both_at(first: tuple[str, str], second: tuple[str, str], second_at: PointMm) -> Actor:
    """Who moved a card at (600, 350) while two hands stood still, one there, one at a place."""
    watch = HandWatch(PLAN)
    for n in range(30):
        t_ns = n * 33_000_000
        hands = (
            seen_at(t_ns, (600.0, 350.0), 0.5, hand_id=1, seat=first[0], hand=first[1]),
            seen_at(t_ns, second_at, 0.5, hand_id=2, seat=second[0], hand=second[1]),
        )
        watch.step(hands, t_ns)
    return watch.actor_at(500_000_000, 900_000_000, (600.0, 350.0))


def test_two_players_equally_near_leave_nobody_named() -> None:
    assert both_at(("A", "R"), ("B", "R"), (605.0, 352.0)) == Actor()
    assert both_at(("A", "R"), ("B", "R"), (800.0, 352.0)) == Actor("A", "R")


def test_two_hands_of_one_player_leave_the_side_open() -> None:
    assert both_at(("A", "R"), ("A", "L"), (605.0, 352.0)) == Actor("A", "?")


def test_covers_and_over_tell_what_is_hidden() -> None:
    watch = HandWatch(PLAN)
    assert not watch.covers((600.0, 350.0))
    watch.step((seen_at(0, (600.0, 350.0), 0.0),), 0)
    assert watch.covers((600.0, 345.0))
    assert watch.covers((600.0, 50.0))
    assert not watch.covers((300.0, 345.0))
    assert watch.over("mid")
    assert not watch.over("play.A")
    with pytest.raises(KeyError, match="no zone nowhere"):
        watch.over("nowhere")
