"""What the scenes of a training are made with, each to be left out: `train.py --without WHAT`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

import cv2
import numpy as np

import photometry
import photos
import render
import scenes
from atlas import Deck, Stock
from dyes import DeckDyes

FEW_DECKS = 10  # of each kind, one deck in so many is left

Setting = tuple[object, str, object]  # a module, the name in it, what stands there instead


def _as_it_is(stock: Stock) -> Stock:
    return stock


@dataclass(frozen=True)
class Ingredient:
    """What changes where it is left out: settings of modules, decks and things, photographs."""

    settings: tuple[Setting, ...] = ()
    stock: Callable[[Stock], Stock] = _as_it_is
    photographs: bool = False


# ---- decks and things ---------------------------------------------------------------------
def _few_decks(stock: Stock) -> Stock:
    kinds: dict[str, list[Deck]] = defaultdict(list)
    for deck in stock.decks:
        kinds[deck.kind].append(deck)
    return replace(stock, decks=tuple(d for some in kinds.values() for d in some[::FEW_DECKS]))


def _packaged(stock: Stock) -> Stock:
    return replace(stock, decks=tuple(d for d in stock.decks if d.kind == "art"))


def _own(stock: Stock) -> Stock:
    return replace(stock, decks=tuple(d for d in stock.decks if d.kind != "art"))


def _bare(stock: Stock) -> Stock:
    return replace(stock, hands=(), objects=())


# ---- light and camera ---------------------------------------------------------------------
def _even_light(clean, rng):  # type: ignore[no-untyped-def]
    return clean.astype(np.float32) / 255


def _flat_rows(layers, stock, rng):  # type: ignore[no-untyped-def]
    rows = LAYER_ROWS(layers, stock, rng)
    rows[:, render.L_SHADOW] = rows[:, render.L_GLOSS] = 0
    return rows


def _clear_lens(image, fine, rng):  # type: ignore[no-untyped-def]
    return image


def _true_sensor(image, rng):  # type: ignore[no-untyped-def]
    return (image.clip(0, 1) * 255 + 0.5).astype(np.uint8)


def _no_codec(image, rng):  # type: ignore[no-untyped-def]
    return image


def grey(image: np.ndarray) -> np.ndarray:
    """A blue-green-red picture without its colours."""
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def _grey_codec(image, rng):  # type: ignore[no-untyped-def]
    return CODEC(grey(image), rng)


def _grey_view(photo, rng):  # type: ignore[no-untyped-def]
    image, rows = VIEW(photo, rng)
    return grey(image), rows


def _as_printed(rng):  # type: ignore[no-untyped-def]
    return DeckDyes(None, None)


LAYER_ROWS, CODEC, VIEW = scenes._layer_rows, photometry._codec, photos._view
ALONE = tuple(float(kind in ("single", "grid")) / 2 for kind in scenes.LAYOUTS)

INGREDIENTS = {
    "photographs": Ingredient(photographs=True),
    "most decks": Ingredient(stock=_few_decks),
    "drawn decks": Ingredient(stock=_packaged),
    "packaged art": Ingredient(stock=_own),
    "dyes": Ingredient(((scenes, "deck_dyes", _as_printed),)),
    "light": Ingredient(((photometry, "_light", _even_light), (scenes, "_layer_rows", _flat_rows))),
    "lens and sensor": Ingredient(
        (
            (photometry, "_lens", _clear_lens),
            (photometry, "_sensor", _true_sensor),
            (photometry, "_codec", _no_codec),
        )
    ),
    "colour": Ingredient(
        ((photometry, "_codec", _grey_codec), (photos, "_view", _grey_view)),
    ),
    "hands and things": Ingredient(stock=_bare),
    "covering": Ingredient(((scenes, "LAYOUT_WEIGHTS", ALONE),)),
    "slant": Ingredient(((scenes, "TILT_FLAT_SHARE", 1.0), (scenes, "HELD_SHARE", 0.0))),
}


@contextmanager
def settings_without(what: str | None) -> Iterator[None]:
    """Draw scenes without an ingredient; processes that are to draw so start in here."""
    with ExitStack() as stack:
        for module, name, value in INGREDIENTS[what].settings if what else ():
            stack.enter_context(patch.object(module, name, value))
        yield


def stock_without(stock: Stock, what: str | None) -> Stock:
    """Return what is left of the decks and things."""
    return INGREDIENTS[what].stock(stock) if what else stock


def with_photographs(what: str | None) -> bool:
    """Whether photographs stay."""
    return not (what and INGREDIENTS[what].photographs)
