"""The rendered table: cards lie where the truth says, seen as much as it says, the same always."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.simulate.arms import Arm, Person
from referee.simulate.cards import deck_styles, draw_card
from referee.simulate.cloth import SURFACES, Tabletop
from referee.simulate.play import Move, Play, Seat, is_at_rest, scene_at
from referee.simulate.scene import Scene, Studio, TableCard, card_quad_px
from referee.simulate.table import TableRenderer
from referee.simulate.truth import CardTruth
from referee.simulate.view import Camera, Lamp, Sensor

SMALL = Camera(
    width_px=640, height_px=360, focal_px=1040.0, position_mm=(303.0, 140.0, 900.0),
    look_at_mm=(280.0, 160.0),
)  # fmt: skip
STUDIO = Studio(decks=deck_styles(2), tabletop=Tabletop("plain"), camera=SMALL, seed=5)
MIDDLE = (280.0, 160.0)


def rectified(image: NDArray[np.uint8], card: CardTruth, height_px: int = 140) -> NDArray[np.uint8]:
    """Return the card cut out by the quad of its truth."""
    width_px = round(height_px * 63.5 / 88.9)
    # Corners lie half a pixel outside the outermost pixels' centres.
    right, bottom = width_px - 0.5, height_px - 0.5
    goal = np.array([(-0.5, -0.5), (right, -0.5), (right, bottom), (-0.5, bottom)], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(card.quad_px, np.float32), goal)
    return np.asarray(cv2.warpPerspective(image, warp, (width_px, height_px)), np.uint8)


def likeness(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    """Return the correlation of two pictures' brightness, 1 where they are the same print."""
    soft = [cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1.5) for p in (a, b)]
    return float(np.corrcoef(soft[0].ravel(), soft[1].ravel())[0, 1])


@given(
    label=st.sampled_from(["7H", "KS", "AD", "TC", "QH", "13"]),
    x_mm=st.floats(130, 430), y_mm=st.floats(100, 220), angle_deg=st.floats(-180, 180),
)  # fmt: skip
@settings(deadline=None, max_examples=12)
def test_the_printed_card_is_found_where_the_truth_says(
    label: str, x_mm: float, y_mm: float, angle_deg: float
) -> None:
    frame = TableRenderer(STUDIO).render(Scene((TableCard(label, 0, (x_mm, y_mm), angle_deg),)))
    card = frame.truth.cards[0]
    assert card.label == label
    assert card.visible > 0.98
    printed, seen = draw_card(label, 140, STUDIO.decks[0]), rectified(frame.image, card)
    assert likeness(seen, printed) > 0.9
    grey = [cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(float) for picture in (printed, seen)]
    shift_px, _ = cv2.phaseCorrelate(grey[0], grey[1])
    assert np.hypot(*shift_px) < 0.5


def test_the_quad_is_the_homography_of_the_card() -> None:
    card = TableCard("9C", 0, (200.0, 150.0), 30.0, height_mm=0.0)
    turn = np.radians(-30.0)
    corners = np.array([(-31.75, 44.45), (31.75, 44.45), (31.75, -44.45), (-31.75, -44.45)])
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    table_mm = (corners @ spin.T + (200.0, 150.0))[:, None, :]
    expected = cv2.perspectiveTransform(table_mm, SMALL.homography())[:, 0]
    assert card_quad_px(card, STUDIO.decks[0], SMALL) == pytest.approx(expected, abs=1e-6)


@given(st.floats(-200, 800), st.floats(-200, 600), st.floats(0, 100))
def test_projection_and_homography_agree_at_any_height(x: float, y: float, z: float) -> None:
    camera = Camera()
    through = cv2.perspectiveTransform(np.array([[[x, y]]]), camera.homography(z))[0]
    assert camera.project(np.array([[x, y, z]])) == pytest.approx(through, abs=1e-6)


def test_the_default_camera_shows_poker_cards_about_100_by_140_px() -> None:
    quad = card_quad_px(TableCard("2S", 0, (600.0, 337.0)), STUDIO.decks[0], Camera())
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(101.6, abs=3)
    assert np.linalg.norm(quad[3] - quad[0]) == pytest.approx(142.2, abs=4)


def test_the_angle_is_clockwise_in_the_image() -> None:
    frame = TableRenderer(STUDIO).render(Scene((TableCard("5S", 0, MIDDLE, 40.0),)))
    assert frame.truth.cards[0].angle_deg == pytest.approx(40.0, abs=2.0)


def test_a_face_down_card_shows_its_back_and_has_no_index() -> None:
    down = TableCard("5S", 1, MIDDLE, flip_deg=180.0)
    card = TableRenderer(STUDIO).render(Scene((down,))).truth.cards[0]
    assert (card.label, card.card, card.indices) == ("BACK", "5S", ())


def test_a_covered_card_is_seen_as_far_as_it_looks_out() -> None:
    low = TableCard("9C", 0, MIDDLE)
    high = TableCard("8H", 0, (MIDDLE[0], MIDDLE[1] - 26.0), height_mm=0.6)
    frame = TableRenderer(STUDIO).render(Scene((low, high)))
    nine, eight = frame.truth.cards
    assert nine.visible == pytest.approx(26.0 / 88.9, abs=0.03)
    assert eight.visible > 0.98
    assert nine.indices[0].visible > 0.97
    assert nine.indices[1].visible < 0.02


def test_a_card_half_outside_the_picture_is_half_seen() -> None:
    left_mm = cv2.perspectiveTransform(
        np.array([[[0.0, 180.0]]]), np.linalg.inv(SMALL.homography())
    )
    half = TableCard("4D", 0, (float(left_mm[0, 0, 0]), MIDDLE[1]))
    gone = TableCard("3D", 0, (-900.0, MIDDLE[1]))
    cards = TableRenderer(STUDIO).render(Scene((half, gone))).truth.cards
    assert cards[0].visible == pytest.approx(0.5, abs=0.05)
    assert cards[1].visible == 0.0


def test_a_hand_hides_what_it_lies_on_and_has_a_box() -> None:
    arm = Arm(Person(2), MIDDLE, (290.0, -500.0), 8.0)
    frame = TableRenderer(STUDIO).render(Scene((TableCard("4D", 0, (280.0, 120.0)),), arms=(arm,)))
    assert frame.truth.cards[0].visible < 0.75
    (x0, y0, x1, y1), *others = frame.truth.hands_px
    assert others == []
    tip = SMALL.project(np.array([[*MIDDLE, 8.0]]))[0]
    assert x0 < tip[0] < x1
    assert y0 - 15 < tip[1] < y1
    assert y1 == SMALL.height_px


def test_skin_tones_and_left_hands_differ() -> None:
    pictures = []
    for person, left in ((Person(0), False), (Person(5), False), (Person(5), True)):
        arm = Arm(person, MIDDLE, (290.0, -500.0), 8.0, "open", left)
        pictures.append(TableRenderer(STUDIO).render(Scene((), arms=(arm,))).image.astype(int))
    light, dark, left_hand = pictures
    assert (light.mean(axis=2) - dark.mean(axis=2)).max() > 60
    assert np.abs(dark - left_hand).max() > 40


def test_the_same_scene_gives_the_same_picture_and_the_seed_changes_it() -> None:
    scene = Scene((TableCard("KH", 0, MIDDLE, 12.0),))
    first, again = (TableRenderer(STUDIO).render(scene, 0.5) for _ in range(2))
    assert np.array_equal(first.image, again.image)
    assert first.truth == again.truth
    other = Studio(decks=STUDIO.decks, tabletop=STUDIO.tabletop, camera=SMALL, seed=6)
    assert not np.array_equal(TableRenderer(other).render(scene, 0.5).image, first.image)


def test_rendering_does_not_depend_on_what_was_rendered_before() -> None:
    low, high = TableCard("9C", 0, MIDDLE), TableCard("8H", 0, (290.0, 140.0), height_mm=0.6)
    used = TableRenderer(STUDIO)
    for scene in (Scene((low,)), Scene((low, high)), Scene((high,))):
        used.render(scene)
    fresh = TableRenderer(STUDIO).render(Scene((low, high)))
    assert np.array_equal(used.render(Scene((low, high))).image, fresh.image)


@pytest.mark.parametrize("surface", SURFACES)
def test_every_surface_is_coloured_and_never_flat(surface: str) -> None:
    studio = Studio(tabletop=Tabletop(surface, (60, 90, 140)), camera=SMALL)
    image = TableRenderer(studio).render(Scene(())).image.astype(float)
    assert image.mean(axis=(0, 1)).argmax() == 2
    assert image.std(axis=(0, 1)).min() > 2.0


def test_glare_brightens_cards_and_compression_changes_the_picture() -> None:
    scene = Scene((TableCard("KH", 0, MIDDLE),))
    plain, glaring, packed = (
        TableRenderer(
            Studio(tabletop=STUDIO.tabletop, camera=SMALL, lamp=lamp, sensor=sensor)
        ).render(scene)
        for lamp, sensor in (
            (Lamp(), Sensor()),
            (Lamp(glare=0.5, glare_mm=MIDDLE), Sensor()),
            (Lamp(), Sensor(jpeg_quality=30)),
        )
    )
    card = plain.truth.cards[0]
    assert rectified(glaring.image, card).mean() > rectified(plain.image, card).mean() + 5
    assert not np.array_equal(packed.image, plain.image)


def one_move() -> Play:
    seat = Seat(Person(1), (300.0, -400.0), (300.0, -120.0))
    start = (TableCard("9C", 0, (200.0, 160.0)), TableCard("8H", 1, (360.0, 160.0), flip_deg=180.0))
    place = TableCard("8H", 1, (200.0, 134.0))
    return Play(start, (seat,), (Move(0, 1.0, 1.6, (("8H", 1),), (place,)),))


def test_a_move_carries_a_card_turns_it_and_lays_it_on_top() -> None:
    play = one_move()
    before, during, after = (scene_at(play, t_s) for t_s in (0.2, 1.3, 1.7))
    assert before.cards == play.start
    assert [card.label for card in during.cards] == ["9C"]
    assert during.carried[0].height_mm > 40.0
    assert len(during.arms) == 1
    assert after.carried == ()
    assert after.cards[-1].label == "8H"
    assert after.cards[-1].face_up
    assert after.cards[-1].height_mm == pytest.approx(0.6)
    assert [is_at_rest(play, t_s) for t_s in (0.9, 1.3, 1.7)] == [True, False, True]


@given(st.floats(1.0, 1.599))
def test_the_hand_goes_with_the_card(t_s: float) -> None:
    scene = scene_at(one_move(), t_s)
    card, arm = scene.carried[0], scene.arms[0]
    assert np.hypot(*np.subtract(card.centre_mm, arm.tip_mm)) < 45.0
    assert arm.height_mm > card.height_mm


def test_moving_cards_blur_along_their_way() -> None:
    play = one_move()
    frames = [TableRenderer(
        Studio(decks=STUDIO.decks, tabletop=STUDIO.tabletop, camera=SMALL,
               sensor=Sensor(exposure_ms=exposure_ms))
    ).render(lambda t_s: scene_at(play, t_s), 1.42) for exposure_ms in (0.1, 40.0)]  # fmt: skip
    sharp, blurred = (rectified(frame.image, frame.truth.cards[-1]) for frame in frames)
    edges = [float(cv2.Laplacian(picture, cv2.CV_64F).var()) for picture in (sharp, blurred)]
    assert edges[1] < 0.7 * edges[0]


def test_moves_and_settings_that_cannot_be_are_refused_in_one_line() -> None:
    play = one_move()
    lost = Move(0, 2.0, 2.5, (("KS", 0),), (TableCard("KS", 0, MIDDLE),))
    with pytest.raises(ValueError, match="KS is not on the table"):
        scene_at(Play(play.start, play.seats, (lost,)), 3.0)
    with pytest.raises(ValueError, match="seat 4"):
        Play(play.start, play.seats, (Move(4, 0.0, 1.0, (("9C", 0),), (play.start[0],)),))
    with pytest.raises(ValueError, match="must end after"):
        Play(play.start, play.seats, (Move(0, 1.0, 1.0, (("9C", 0),), (play.start[0],)),))
    with pytest.raises(ValueError, match="deck 7"):
        TableRenderer(STUDIO).render(Scene((TableCard("9C", 7, MIDDLE),)))
    with pytest.raises(ValueError, match="no surface"):
        Tabletop("marble")
    with pytest.raises(ValueError, match="skin tones"):
        Person(9)
    with pytest.raises(ValueError, match="too small"):
        Camera(width_px=3)
