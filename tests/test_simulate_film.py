"""Filmed matches: hands and cards keep to the script and to what bodies can do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from referee.notation import read_matches
from referee.play import PLAYERS, Players, legal_match
from referee.simulate.acts import ScriptError
from referee.simulate.cards import draw_card
from referee.simulate.cardtrail import is_off_table
from referee.simulate.film import Film
from referee.simulate.flights import Show
from referee.simulate.mishaps import Bump, nudge_at
from referee.simulate.motion import STAY, along, eased
from referee.simulate.scene import Nudge
from referee.simulate.staging import Filming
from referee.table.layout import plan
from referee.values import CardPlaced, CardTurned, Match, PadHit, PileMoved, ViewBack, ViewLost

EXAMPLES = {
    match.id: match
    for match in read_matches(
        (Path(__file__).parent / "games" / "examples.match").read_text(encoding="utf-8")
    )
}
MS = 1_000_000
TINY = Filming(320, 180, seed=3)
FASTEST_MM_S = 1950.0


def film(match: Match, filming: Filming = TINY) -> Film:
    return Film(match, plan(match.game, match.seats), filming)


def assert_bodies_could_do_it(show: Show) -> None:
    for hand in show.hands:
        for a, b in pairwise(hand.stops):
            assert b.t_s >= a.t_s - 1e-9
            way_mm = float(np.hypot(*np.subtract(a.at_mm, b.at_mm)))
            if a.way != STAY and way_mm > 1.0:
                assert way_mm / (b.t_s - a.t_s) < FASTEST_MM_S, (hand.key, a, b)
    for t_s in np.arange(0.0, show.end_s, 0.4):
        there = [*show.lying(t_s).pieces, *(flight.piece for flight in show.flying(t_s))]
        assert all(count == 1 for count in Counter(there).values()), t_s


@pytest.mark.parametrize("match", EXAMPLES.values(), ids=EXAMPLES)
def test_every_example_match_can_be_filmed_by_human_hands(match: Match) -> None:
    shot = film(match)
    assert_bodies_could_do_it(shot.show)
    seen = {one.n for one in shot.show.played} | {one.n for one in shot.plot.unseen}
    assert seen == {event.n for event in match.events}
    assert all(one.shift_s >= 0.0 for one in shot.show.played if one.t_s != one.lift_s)


@settings(max_examples=8, deadline=None)
@given(st.sampled_from(PLAYERS), st.integers(2, 4), st.integers(0, 10**6))
@example(next(span for span in PLAYERS if span.game == "nerves"), 2, 1119)
def test_random_matches_can_be_filmed_too(span: Players, players: int, seed: int) -> None:
    count = min(max(players, span.fewest), span.most)
    assert_bodies_could_do_it(film(legal_match(span.game, count, seed, faulty=True)).show)


# Who plays and hits with one hand (Nerves) is a little later than the script.
@pytest.mark.parametrize(
    ("name", "late_s"),
    [("NERVES-FULL", 0.35), ("XIX-FULL", 0.3), ("SPY-FULL", 0.3), ("NERDS-FULL", 0.3)],
)
def test_a_card_touches_down_when_the_script_says_or_the_shift_is_told(
    name: str, late_s: float
) -> None:
    match = EXAMPLES[name]
    show = film(match).show
    played = {one.n: one for one in show.played}
    checked = 0
    for event in match.events:
        if not isinstance(event, CardPlaced) or is_off_table(event.target):
            continue
        one = played[event.n]
        asked_s = event.t_ns / 1e9 + show.lead_s + one.shift_s
        assert one.t_s == pytest.approx(asked_s, abs=1e-5)
        before, after = show.lying(one.t_s - 0.002), show.lying(one.t_s + 0.002)
        count = [lies.zones.count(event.target) for lies in (before, after)]
        assert count[1] == count[0] + 1
        checked += 1
    assert checked >= 12
    assert max(one.shift_s for one in show.played) < late_s


def test_the_card_that_comes_down_is_the_one_that_the_script_names() -> None:
    match = EXAMPLES["SPY-FULL"]
    shot = film(match)
    for event, one in zip(match.events, shot.show.played, strict=False):
        if isinstance(event, CardPlaced):
            when = next(p for p in shot.show.played if p.n == event.n)
            lies = shot.show.lying(when.t_s + 0.001)
            top = [c for c, z in zip(lies.cards, lies.zones, strict=True) if z == event.target][-1]
            assert (top.label, top.face_up) == (event.card.face, event.up)
        assert one.seat in match.seats


def test_the_deck_is_whole_and_unknown_cards_are_what_it_lacks() -> None:
    for name, decks in (("NERVES-FULL", 1), ("NERTZ-FULL", 2)):
        pieces = film(EXAMPLES[name]).plot.pieces
        assert len(pieces) == len(set(pieces)) == 52 * decks
    script = replace(
        EXAMPLES["NERTZ-S04"],
        events=(
            PileMoved(n=1, t_ns=2000 * MS, origin="A.stock", target="A.waste", count=1, flip=True),
        ),
    )
    assert len(set(film(script).plot.pieces)) == len(film(script).plot.pieces)


def test_a_turned_card_shows_its_other_side_afterwards_and_stays_where_it_is() -> None:
    match = EXAMPLES["NERTZ-FULL"]
    show = film(match).show
    turn = next(event for event in match.events if isinstance(event, CardTurned))
    one = next(p for p in show.played if p.n == turn.n)
    assert one.lift_s is not None
    tops = []
    for t_s in (one.lift_s - 0.01, one.t_s + 0.01):
        lies = show.lying(t_s)
        tops.append([c for c, z in zip(lies.cards, lies.zones, strict=True) if z == turn.zone][-1])
    assert [top.face_up for top in tops] == [False, True]
    assert np.hypot(*np.subtract(tops[0].centre_mm, tops[1].centre_mm)) < 5.0


def test_a_slap_falls_fast_hits_at_its_time_and_stays() -> None:
    match = EXAMPLES["NERVES-S11"]
    show = film(match).show
    hits = [event for event in match.events if isinstance(event, PadHit)]
    ons = [c for c in show.contacts if c.on and c.zone == "mid"]
    assert [(c.seat, c.slap) for c in ons] == [(e.actor.seat, True) for e in hits]
    gap_s = (hits[1].t_ns - hits[0].t_ns) / 1e9
    assert ons[1].t_s - ons[0].t_s == pytest.approx(gap_s, abs=1e-6)
    hand = next(h for h in show.hands if h.key == f"{ons[0].seat}.{ons[0].side}")
    heights = [along(hand.stops, ons[0].t_s + dt).height_mm for dt in (-0.05, -0.02, 0.0, 0.1)]
    assert heights[0] > heights[1] > heights[2] + 10.0
    assert heights[2] == heights[3]
    second = next(h for h in show.hands if h.key == f"{ons[1].seat}.{ons[1].side}")
    assert along(second.stops, ons[1].t_s).height_mm > heights[2] + 15.0, "it lies on the first"


def test_who_plays_and_hits_in_nerves_does_it_with_the_hand_of_the_script() -> None:
    match = EXAMPLES["NERVES-FULL"]
    hands = {act.n: act.side for act in film(match).show.played}
    ruled_on = [
        event
        for event in match.events
        if isinstance(event, PadHit)
        or (isinstance(event, CardPlaced) and event.target.startswith("play."))
    ]
    assert len(ruled_on) > 20
    assert [hands[event.n] for event in ruled_on] == [event.actor.hand for event in ruled_on]


def test_palms_leave_the_table_exactly_when_the_script_lifts_them() -> None:
    match = EXAMPLES["NERVES-S03"]
    show = film(match).show
    offs = {c.t_s for c in show.contacts if not c.on}
    asked = {e.t_ns / 1e9 + show.lead_s for e in match.events if type(e).__name__ == "HandOff"}
    assert {round(t, 6) for t in asked} <= {round(t, 6) for t in offs}


@given(st.floats(0, 1), st.floats(0, 1))
def test_hands_speed_up_and_slow_down_without_a_jerk(a: float, b: float) -> None:
    assert 0.0 <= eased(min(a, b)) <= eased(max(a, b)) <= 1.0
    assert eased(a) + eased(1.0 - a) == pytest.approx(1.0)


# --- pictures ---------------------------------------------------------------------------------


def likeness(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    soft = [cv2.GaussianBlur(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), (0, 0), 1.5) for p in (a, b)]
    return float(np.corrcoef(soft[0].ravel(), soft[1].ravel())[0, 1])


@pytest.mark.parametrize("strength", [0.0, 1.0])
def test_cards_and_markers_are_in_the_picture_where_the_truth_says(strength: float) -> None:
    match = EXAMPLES["SPY-S01"]
    shot = film(match, Filming(960, 540, seed=5, strength=strength))
    first = shot.shot(0)
    camera = shot.studio.camera
    style = shot.studio.decks[0]
    shown = [card for card in first.truth.cards if card.up]
    assert len(shown) == 4
    for card in shown:
        turn = np.radians(card.angle_deg)
        right, up = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
        half_w, half_h = style.width_mm / 2, style.height_mm / 2
        corners = [np.array(card.at_mm) + right * x * half_w + up * y * half_h
                   for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]  # fmt: skip
        there = camera.project(np.array([(*c, card.height_mm) for c in corners]))
        goal = np.array([(0, 0), (80, 0), (80, 112), (0, 112)], np.float32)
        warp = cv2.getPerspectiveTransform(there.astype(np.float32), goal)
        seen = np.asarray(cv2.warpPerspective(first.image, warp, (80, 112)), np.uint8)
        assert likeness(seen, cv2.resize(draw_card(card.face, 112, style), (80, 112))) > 0.85
    name = shot.plan.markers[0].dictionary
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    fine = cv2.aruco.DetectorParameters()
    fine.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    found, ids, _ = cv2.aruco.ArucoDetector(words, fine).detectMarkers(first.image)
    at = {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), found, strict=True)}
    assert set(at) == {marker.id for marker in shot.plan.markers}
    for marker in shot.plan.markers:
        true_px = camera.project(np.array([(*corner, 0.0) for corner in marker.corners_mm]))
        assert np.abs(at[marker.id] - true_px).max() < 0.6


def test_the_lens_bends_as_opencv_says() -> None:
    camera = replace(film(EXAMPLES["SPY-S01"]).studio.camera, k1=-0.08, k2=0.02)
    points = np.array([(10.0, 20.0, 0.0), (300.0, 200.0, 5.0), (600.0, 450.0, 0.0)])
    straight = replace(camera, k1=0.0, k2=0.0).project(points)
    rays = np.concatenate(
        [(straight - camera.matrix()[:2, 2]) / camera.focal_px, np.ones((3, 1))], axis=1
    )
    lens = np.array([camera.k1, camera.k2, 0.0, 0.0])
    bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), camera.matrix(), lens)
    assert camera.project(points) == pytest.approx(bent.reshape(-1, 2), abs=1e-6)
    x_mm, y_mm = camera.table_map()
    on_cloth = np.array([(200.0, 150.0, 0.0)])
    ((column, row),) = np.round(camera.project(on_cloth)).astype(int)
    assert (x_mm[row, column], y_mm[row, column]) == pytest.approx((200.0, 150.0), abs=3.0)


def test_the_same_seed_films_the_same_and_another_seed_another_room() -> None:
    match = EXAMPLES["NERTZ-S02"]
    pictures = [film(match, replace(TINY, seed=seed)).picture(130) for seed in (4, 4, 5)]
    assert np.array_equal(pictures[0], pictures[1])
    assert np.abs(pictures[0].astype(int) - pictures[2].astype(int)).mean() > 5.0


def test_a_picture_does_not_depend_on_the_pictures_before_it() -> None:
    match = EXAMPLES["NERTZ-S02"]
    one, other = film(match), film(match)
    for number in (10, 148, 152, 160):
        one.picture(number)
    assert np.array_equal(one.picture(170), other.picture(170))


def test_a_clean_film_stands_still_and_a_real_one_never_does() -> None:
    match = EXAMPLES["NERTZ-S02"]
    for strength, still in ((0.0, True), (1.0, False)):
        shot = film(match, replace(TINY, strength=strength))
        assert np.array_equal(shot.picture(5), shot.picture(6)) == still


def test_a_moving_hand_is_blurred_and_seen_later_by_lower_rows() -> None:
    match = EXAMPLES["NERVES-S11"]
    shot = film(match, replace(TINY, strength=0.0))
    hit = next(c for c in shot.show.contacts if c.on)
    number = round((hit.t_s - 0.08) * 30)
    sharp = shot.picture(number)
    slow = film(match, replace(TINY, strength=0.0))
    slow.studio = replace(
        slow.studio, sensor=replace(slow.studio.sensor, exposure_ms=30.0, readout_ms=25.0)
    )
    assert np.abs(slow.picture(number).astype(int) - sharp.astype(int)).max() > 40


def lost(cause: str | None, zones: tuple[str, ...]) -> Match:
    return replace(
        EXAMPLES["NERTZ-S02"],
        events=(
            ViewLost(n=1, t_ns=1000 * MS, zones=zones, cause=cause),
            ViewBack(n=2, t_ns=2000 * MS, zones=zones),
        ),
    )


def test_lights_go_off_and_on_again() -> None:
    shot = film(lost("lights off", ("*",)))
    before, dark, after = (
        shot.picture(round((shot.show.lead_s + t_s) * 30)).mean() for t_s in (0.5, 1.5, 2.5)
    )
    assert dark < 0.35 * before
    assert after == pytest.approx(before, rel=0.1)


@pytest.mark.parametrize("zones", [("*",), ("A.nerts", "B.waste")])
def test_somebody_in_the_way_hides_what_the_script_says(zones: tuple[str, ...]) -> None:
    shot = film(lost(None, zones), replace(TINY, strength=0.0))
    lead = shot.show.lead_s
    clear, hidden = shot.picture(0), shot.picture(round((lead + 1.5) * 30))
    named = [zone for zone in shot.plan.zones if zone.name in zones]
    spots = named or [zone for zone in shot.plan.zones if zone.name.startswith(("A.", "B."))]
    for zone in spots:
        ((column, row),) = shot.studio.camera.project(np.array([(*zone.center_mm, 0.0)])).astype(
            int
        )
        patch = hidden[row - 4 : row + 5, column - 3 : column + 4].astype(int)
        was = clear[row - 4 : row + 5, column - 3 : column + 4].astype(int)
        assert np.abs(patch - was).mean() > 8.0, zone.name
        assert patch.std(axis=(0, 1)).max() < 3.0


def test_a_bumped_camera_comes_to_rest_where_the_truth_says() -> None:
    shot = film(EXAMPLES["NERTZ-S02"], replace(TINY, strength=0.0))
    shot.bump = Bump(1.0, Nudge(6.0, -3.0, 0.5))
    assert nudge_at(shot.bump, 0.9) is None
    still = nudge_at(shot.bump, 3.0)
    assert still is not None
    assert (still.right_px, still.down_px) == pytest.approx((6.0, -3.0), abs=1e-3)
    first, bumped = shot.views()
    corner = np.array([[list(shot.plan.table_mm)]])
    a, b = (cv2.perspectiveTransform(corner, view.homography) for view in (first, bumped))
    assert np.hypot(*(a - b).ravel()) > 3.0
    assert not np.array_equal(shot.picture(0), shot.picture(90))


# --- scripts that cannot be filmed ------------------------------------------------------------


def test_scripts_that_cannot_be_filmed_are_refused_in_one_line() -> None:
    match = EXAMPLES["NERTZ-S02"]
    put = CardPlaced(n=1, t_ns=2000 * MS, card=match.start[0].cards[0].card, origin="A.nerts",
                     target="F.1")  # fmt: skip
    with pytest.raises(ScriptError, match="no events"):
        film(replace(match, events=()))
    with pytest.raises(ScriptError, match=r"no zone A\.sofa"):
        film(replace(match, events=(replace(put, target="A.sofa"),)))
    missing = replace(put, card=replace(put.card, face="9S"))
    with pytest.raises(ScriptError, match=r"event 1: A:9S is not in A\.nerts"):
        film(replace(match, events=(missing,)))
    many = PileMoved(n=3, t_ns=2000 * MS, origin="A.nerts", target="A.work.1", count=9)
    with pytest.raises(ScriptError, match=r"event 3: A\.nerts holds 2 cards, not 9"):
        film(replace(match, events=(many,)))
    with pytest.raises(ValueError, match="give 0 to 4"):
        Filming(strength=9.0)
    with pytest.raises(ValueError, match="cannot be rendered"):
        Filming(width_px=20)
