"""The overlay: what was read, drawn into the picture it was read from, upright for a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.values import CardRead, HandRead, Point, Sight

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

# Exif orientation -> swap rows and columns, then mirror left-right, then mirror up-down.
TURNS = {
    1: (False, False, False),
    2: (False, True, False),
    3: (False, True, True),
    4: (False, False, True),
    5: (True, False, False),
    6: (True, True, False),
    7: (True, True, True),
    8: (True, False, True),
}
# Below this long side tags would hide the cards, so the drawing is made twice as large.
SMALL_PICTURE_PX = 1000

# Blue, green, red; told apart also with red-green blindness (after Okabe and Ito, 2008). The
# shape says the same: a solid outline is read, a dashed one is not, a crossed one is face down.
READ: Colour = (115, 158, 0)
UNREAD: Colour = (0, 159, 230)
BACK: Colour = (178, 114, 0)
HAND: Colour = (167, 121, 204)
WHITE: Colour = (255, 255, 255)
INK: Colour = (25, 25, 25)
RED_INK: Colour = (30, 20, 190)
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
FONT_WEIGHT = 600


@dataclass(frozen=True, slots=True)
class Tag:
    """A label's place: the upper left corner and size of its plate."""

    x_px: int
    y_px: int
    w_px: int
    h_px: int

    def overlap_px2(self, other: Tag) -> int:
        """Return the common area of two tags."""
        w_px = min(self.x_px + self.w_px, other.x_px + other.w_px) - max(self.x_px, other.x_px)
        h_px = min(self.y_px + self.h_px, other.y_px + other.h_px) - max(self.y_px, other.y_px)
        return max(0, w_px) * max(0, h_px)


def draw_sight(image_bgr: Image, sight: Sight, orientation: int = 1) -> Image:
    """Return the picture upright with every read drawn into it.

    `image_bgr` is uint8, height x width x 3, as stored; `orientation` is Exif's 1..8.
    """
    height_px, width_px = image_bgr.shape[:2]
    zoom = 2 if max(height_px, width_px) < SMALL_PICTURE_PX else 1
    upright = turned(image_bgr, orientation)
    size_px = (upright.shape[1] * zoom, upright.shape[0] * zoom)
    canvas = np.asarray(cv2.resize(upright, size_px, interpolation=cv2.INTER_CUBIC), np.uint8)

    def place(point: Point) -> Point:
        x_px, y_px = turned_point(point, (width_px, height_px), orientation)
        return x_px * zoom, y_px * zoom

    line_px = max(2, round(max(canvas.shape[:2]) / 700))
    for hand in sight.hands:
        draw_hand(canvas, hand, place, line_px)
    for card in sight.cards:
        draw_outline(canvas, card, place, line_px)
    draw_tags(canvas, sight.cards, [place(card.at_px) for card in sight.cards])
    return canvas


def turned(image_bgr: Image, orientation: int) -> Image:
    """Return a stored picture as a person sees it upright, as an array of its own."""
    swap, mirror_x, mirror_y = TURNS[orientation]
    view = image_bgr.transpose(1, 0, 2) if swap else image_bgr
    view = view[:, ::-1] if mirror_x else view
    view = view[::-1] if mirror_y else view
    return np.ascontiguousarray(view)


def turned_point(point: Point, size_px: tuple[int, int], orientation: int) -> Point:
    """Return where a point of the stored picture, width x height, lies in the upright one."""
    swap, mirror_x, mirror_y = TURNS[orientation]
    x_px, y_px = point
    width_px, height_px = size_px
    if swap:
        x_px, y_px, width_px, height_px = y_px, x_px, height_px, width_px
    return (width_px - 1 - x_px if mirror_x else x_px, height_px - 1 - y_px if mirror_y else y_px)


def colour_of(card: CardRead) -> Colour:
    """Return the colour of a read's outline."""
    return {"??": UNREAD, "BACK": BACK}.get(card.label, READ)


def draw_outline(
    canvas: Image, card: CardRead, place: Callable[[Point], Point], line_px: int
) -> None:
    """Draw a card's outline, or a ring around its index where the outline is not known."""
    colour = colour_of(card)
    if card.quad_px is None:
        centre = rounded(place(card.at_px))
        for width_px, ink in ((3 * line_px, WHITE), (line_px, colour)):
            cv2.circle(canvas, centre, 6 * line_px, ink, width_px, cv2.LINE_AA)
        return
    corners = [place(corner) for corner in card.quad_px]
    edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
    if card.label == "BACK":
        edges += [(corners[0], corners[2]), (corners[1], corners[3])]
    for width_px, ink in ((line_px + 2, WHITE), (line_px, colour)):
        for start, end in edges:
            draw_edge(canvas, start, end, (ink, width_px), dashed=card.label == "??")


def draw_edge(
    canvas: Image, start: Point, end: Point, pen: tuple[Colour, int], dashed: bool
) -> None:
    """Draw one edge, solid, or in seven pieces with gaps between."""
    pieces = [(k / 13, (k + 1) / 13) for k in range(0, 13, 2)] if dashed else [(0.0, 1.0)]
    for begin, finish in pieces:
        ends = (between(start, end, begin), between(start, end, finish))
        cv2.line(canvas, rounded(ends[0]), rounded(ends[1]), pen[0], pen[1], cv2.LINE_AA)


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way."""
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def rounded(point: Point) -> tuple[int, int]:
    """Return a point at whole pixels."""
    return round(point[0]), round(point[1])


def draw_hand(canvas: Image, hand: HandRead, place: Callable[[Point], Point], line_px: int) -> None:
    """Draw a hand's box with its score."""
    x0, y0, x1, y1 = hand.box_px
    corners = (rounded(place((x0, y0))), rounded(place((x1, y1))))
    cv2.rectangle(canvas, corners[0], corners[1], WHITE, line_px + 2, cv2.LINE_AA)
    cv2.rectangle(canvas, corners[0], corners[1], HAND, line_px, cv2.LINE_AA)
    left = min(corners[0][0], corners[1][0])
    top = min(corners[0][1], corners[1][1])
    font_px = font_size_px(canvas)
    text = f"hand {hand.score:.2f}"
    draw_tag(canvas, tag_at((left, top), text, font_px), (text, HAND, INK), font_px)


def font_size_px(canvas: Image) -> int:
    """Return the height of the letters: 18 pixels on a 1080p picture."""
    return max(14, round(int(min(canvas.shape[:2])) / 60))


def draw_tags(canvas: Image, cards: Sequence[CardRead], places: Sequence[Point]) -> None:
    """Write each read's label and score beside its place, where it hides least."""
    font_px = font_size_px(canvas)
    taken = [
        Tag(round(x - font_px / 2), round(y - font_px / 2), font_px, font_px) for x, y in places
    ]
    for card, place in zip(cards, places, strict=True):
        text = tag_text(card)
        tag = freest(tags_around(place, text, font_px), taken, canvas)
        taken.append(tag)
        ink = RED_INK if card.label[-1:] in "DH" and card.label != "??" else INK
        draw_tag(canvas, tag, (text, colour_of(card), ink), font_px)


def tag_text(card: CardRead) -> str:
    """Return what a tag says: label with the suit's sign, and the score."""
    label = card.label
    if len(label) == 2 and label[1] in SUIT_SIGNS:
        label = label[0].replace("T", "10") + SUIT_SIGNS[label[1]]
    return f"{label} {card.score:.2f}"


def text_size_px(text: str, font_px: int) -> tuple[int, int]:
    """Return width and height of a text in pixels."""
    face = cv2.FontFace("sans")
    box = cv2.getTextSize((0, 0), text, (0, 0), face, font_px, FONT_WEIGHT)
    return int(box[2]), font_px


def tag_at(corner: tuple[int, int], text: str, font_px: int) -> Tag:
    """Return a text's plate with this upper left corner."""
    width_px, height_px = text_size_px(text, font_px)
    return Tag(corner[0], corner[1], width_px + font_px, height_px + font_px // 2)


def tags_around(place: Point, text: str, font_px: int) -> list[Tag]:
    """Return where a tag may stand: below, above, right and left of the place, near and far."""
    plate = tag_at((0, 0), text, font_px)
    found = []
    for gap_px in (font_px, 3 * font_px):
        across_px, down_px = plate.w_px / 2 + gap_px, plate.h_px / 2 + gap_px
        for x, y in ((0.0, down_px), (0.0, -down_px), (across_px, 0.0), (-across_px, 0.0)):
            left, top = place[0] + x - plate.w_px / 2, place[1] + y - plate.h_px / 2
            found.append(Tag(round(left), round(top), plate.w_px, plate.h_px))
    return found


def freest(tags: Sequence[Tag], taken: Sequence[Tag], canvas: Image) -> Tag:
    """Return the tag that hides least of the others; the first of equals."""
    height_px, width_px = canvas.shape[:2]
    picture = Tag(0, 0, int(width_px), int(height_px))

    def hidden_px2(tag: Tag) -> int:
        outside_px2 = tag.w_px * tag.h_px - tag.overlap_px2(picture)
        return 4 * int(outside_px2) + sum(tag.overlap_px2(other) for other in taken)

    return min(tags, key=hidden_px2)


def draw_tag(canvas: Image, tag: Tag, said: tuple[str, Colour, Colour], font_px: int) -> None:
    """Draw a white plate with a coloured rim and the text on it."""
    text, rim, ink = said
    first = (tag.x_px, tag.y_px)
    last = (tag.x_px + tag.w_px, tag.y_px + tag.h_px)
    cv2.rectangle(canvas, first, last, WHITE, cv2.FILLED)
    cv2.rectangle(canvas, first, last, rim, max(1, font_px // 9))
    base = (tag.x_px + font_px // 2, tag.y_px + tag.h_px - round(0.36 * font_px))
    cv2.putText(canvas, text, base, ink, cv2.FontFace("sans"), font_px, FONT_WEIGHT)
