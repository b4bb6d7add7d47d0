"""The ground truth of a film as JSON.

One object:

    match, game, players, seed, strength
    video       width, height, fps, frames; frame n stands at n / fps seconds
    lead_s      the video's time minus the script's: video time = script time + lead_s + shift_s
    camera      matrix (3 x 3), distortion (k1, k2 as OpenCV defines them), homography (3 x 3,
                table mm on the cloth to undistorted pixels), exposure_ms, readout_ms (a frame's
                time is the middle of the exposure of its middle row)
    views       from_s, homography: where a bumped camera sees the table from that time on
    table       size_mm, markers [id, dictionary, corners_mm, corners_px]
    events      of the script, in its order, as they are really seen:
                n, text (the script's line, card identities included), seen (false: nothing to
                see, with `why`), t_s (video time of the touch-down, lift, contact or turn; each_s
                where cards are laid one by one), lift_s (when its cards left their place), shift_s
                (how much later than the script asks, because no hand is that fast), seat and hand
                (who really did it), note (what is other than the script says)
    contacts    hands on zones: seat, hand, zone, at_mm, t_s, on (false: it leaves), slap
    dark        times in which nothing is seen: from_s, until_s, zones, cause
    changes     what lies from t_s on, zone by zone where it changed: {t_s, zones: {zone: cards}},
                cards bottom to top as [face, deck, x_mm, y_mm, angle_deg, up]
    hands       seat, hand, stops [t_s, x_mm, y_mm, height_mm, grip]: where each hand turns round
"""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.notation import write_event
from referee.simulate.film import Film
from referee.simulate.flights import Lies, Played


def truth_json(film: Film) -> dict[str, Any]:
    """Return the truth of a film as JSON values (see the module)."""
    camera, sensor = film.studio.camera, film.studio.sensor
    return {
        "match": film.match.id,
        "game": film.match.game,
        "players": list(film.match.seats),
        "seed": film.filming.seed,
        "strength": film.filming.strength,
        "video": {
            "width": camera.width_px, "height": camera.height_px,
            "fps": film.filming.fps, "frames": film.frame_count,
        },
        "lead_s": film.show.lead_s,
        "camera": {
            "matrix": _rounded(camera.matrix(), 4),
            "distortion": [camera.k1, camera.k2],
            "homography": _rounded(film.homography(), 9),
            "exposure_ms": round(sensor.exposure_ms, 3),
            "readout_ms": round(sensor.readout_ms, 3),
        },
        "views": [
            {"from_s": round(view.from_s, 4), "homography": _rounded(view.homography, 9)}
            for view in film.views()
        ],
        "table": _table(film),
        "events": _events(film),
        "contacts": [
            {"seat": c.seat, "hand": c.side, "zone": c.zone, "at_mm": _rounded(c.at_mm, 1),
             "t_s": round(c.t_s, 4), "on": c.on, "slap": c.slap}
            for c in film.show.contacts
        ],
        "dark": [
            {"from_s": round(d.from_s, 4), "until_s": round(d.until_s, 4), "zones": list(d.zones),
             "cause": "lights off" if d.lights_off else "something in the way"}
            for d in film.show.darks
        ],
        "changes": _changes(film),
        "hands": [
            {"seat": hand.seat, "hand": hand.side,
             "stops": [[round(s.t_s, 4), round(s.at_mm[0], 1), round(s.at_mm[1], 1),
                        round(s.height_mm, 1), s.grip] for s in hand.stops[1:]]}
            for hand in film.show.hands
        ],
    }  # fmt: skip


def _rounded(values: object, digits: int) -> list[Any]:
    return list(np.round(np.asarray(values, np.float64), digits).tolist())


def _table(film: Film) -> dict[str, Any]:
    camera = film.studio.camera
    markers = []
    for marker in film.plan.markers:
        corners = np.array([(*corner, 0.0) for corner in marker.corners_mm])
        markers.append(
            {"id": marker.id, "dictionary": marker.dictionary,
             "corners_mm": _rounded(marker.corners_mm, 2),
             "corners_px": _rounded(camera.project(corners), 2)}
        )  # fmt: skip
    return {"size_mm": list(film.plan.table_mm), "markers": markers}


def _events(film: Film) -> list[dict[str, Any]]:
    played = {one.n: one for one in film.show.played}
    why = {one.n: one.why for one in film.plot.unseen}
    told = []
    for event in film.match.events:
        entry: dict[str, Any] = {"n": event.n, "text": write_event(event)}
        if event.n in played:
            entry |= _seen(played[event.n])
        else:
            t_s = round(event.t_ns / 1e9 + film.show.lead_s, 4)
            entry |= {"seen": False, "t_s": t_s, "why": why.get(event.n, "the view is lost")}
        told.append(entry)
    return told


def _seen(one: Played) -> dict[str, Any]:
    entry: dict[str, Any] = {"seen": True, "t_s": round(one.t_s, 4)}
    if one.lift_s is not None:
        entry["lift_s"] = round(one.lift_s, 4)
    if len(one.each_s) > 1:
        entry["each_s"] = [round(t_s, 4) for t_s in one.each_s]
    entry |= {"shift_s": round(one.shift_s, 4), "seat": one.seat, "hand": one.side}
    return entry | ({"note": one.note} if one.note else {})


def _changes(film: Film) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = []
    before: dict[str, list[list[Any]]] = {}
    for lies in film.show.lies:
        now = _zones(film, lies)
        changed = {zone: cards for zone, cards in now.items() if before.get(zone) != cards}
        changed |= {zone: [] for zone in before if zone not in now}
        before = now
        t_s = round(max(lies.t_s, 0.0), 4)
        if told and told[-1]["t_s"] == t_s:
            told[-1]["zones"] |= changed
        elif changed:
            told.append({"t_s": t_s, "zones": changed})
    return told


def _zones(film: Film, lies: Lies) -> dict[str, list[list[Any]]]:
    zones: dict[str, list[list[Any]]] = {}
    for card, zone in zip(lies.cards, lies.zones, strict=True):
        there = film.there(card, zone)
        x_mm, y_mm = there.at_mm
        zones.setdefault(zone, []).append(
            [there.face, there.deck, round(x_mm, 1), round(y_mm, 1), round(there.angle_deg, 1),
             there.up]
        )  # fmt: skip
    return zones
