"""Reads card pictures out of installed deck art: SVG sheets, SVG files with an id a card, packages.

Every reader returns the pictures of one deck as `Art`, 720 px high, with transparency.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

ART_HEIGHT_PX = 720
RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKERS = ("X1", "X2")
COMMAND_LIMIT_S = 120


class ArtMissingError(Exception):
    """Art or a program that draws it is not installed; the text says what to install."""


@dataclass(frozen=True)
class Art:
    """One drawn side of a card: its label ("7H", "X1", "back0") and its RGBA picture (H, W, 4)."""

    label: str
    rgba: Picture


def suit_cards() -> tuple[str, ...]:
    """The 52 labels, clubs first, each suit from ace to king."""
    return tuple(rank + suit for suit in SUITS for rank in RANKS)


def gnome_sheet(path: Path) -> tuple[Art, ...]:
    """Cuts an Aisleriot sheet: 13 columns, 5 rows (clubs, diamonds, hearts, spades, extras).

    The extras are the black joker, the red joker and the back.
    """
    sheet = _rsvg(_present(path, "apt-get install gnome-cards-data"), 5 * ART_HEIGHT_PX)
    labels = (*suit_cards(), *JOKERS, "back0")
    return tuple(Art(label, _cell(sheet, i // 13, i % 13)) for i, label in enumerate(labels))


def _cell(sheet: Picture, row: int, column: int) -> Picture:
    height_px, width_px = sheet.shape[0] / 5, sheet.shape[1] / 13
    top, bottom = round(row * height_px), round((row + 1) * height_px)
    left, right = round(column * width_px), round((column + 1) * width_px)
    return sheet[top:bottom, left:right].copy()


def _rsvg(path: Path, height_px: int) -> Picture:
    program = shutil.which("rsvg-convert")
    if program is None:
        raise ArtMissingError("rsvg-convert is missing: apt-get install librsvg2-bin")
    command = [program, "--unlimited", "-h", str(height_px), str(path)]
    done = subprocess.run(command, capture_output=True, timeout=COMMAND_LIMIT_S, check=False)
    if done.returncode != 0 or not done.stdout:
        raise ArtMissingError(
            f"rsvg-convert cannot draw {path}: {done.stderr.decode().strip()[:100]}"
        )
    return _decoded(done.stdout, str(path))


def _decoded(data: bytes, name: str) -> Picture:
    bgra = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if bgra is None or bgra.ndim != 3 or bgra.shape[2] != 4:
        raise ArtMissingError(f"{name} is no picture with transparency: install its package again")
    return np.asarray(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGBA), np.uint8)


def kde_deck(path: Path) -> tuple[Art, ...]:
    """Draws a KDE deck: one SVG, elements named `7_heart`, `jack_club`, `joker`, `back`.

    Qt draws it, as KDE's own games do: other renderers measure the elements' frames otherwise.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        from PySide6.QtGui import QGuiApplication
        from PySide6.QtSvg import QSvgRenderer
    except ImportError as error:
        raise ArtMissingError("Qt is missing: pip install PySide6-Essentials") from error
    application = QGuiApplication.instance() or QGuiApplication([])
    drawer = QSvgRenderer(str(_present(path, "apt-get install kdegames-card-data-kf5")))
    found = [(label, name) for label, name in _kde_names() if drawer.elementExists(name)]
    drawn = tuple(Art(label, _qt_element(drawer, name)) for label, name in found)
    del application  # Qt needs it alive while it draws.
    return drawn


def _kde_names() -> Iterator[tuple[str, str]]:
    suits = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
    ranks = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
    for label in suit_cards():
        yield label, f"{ranks.get(label[0], label[0])}_{suits[label[1]]}"
    yield from (("X1", "joker"), ("back0", "back"))


def _qt_element(drawer: object, name: str) -> Picture:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    assert isinstance(drawer, QSvgRenderer)
    frame = drawer.boundsOnElement(name)
    width_px = round(ART_HEIGHT_PX * frame.width() / frame.height())
    image = QImage(width_px, ART_HEIGHT_PX, QImage.Format.Format_RGBA8888)
    image.fill(0)
    painter = QPainter(image)
    drawer.render(painter, name, QRectF(0, 0, width_px, ART_HEIGHT_PX))
    painter.end()
    pixels = np.frombuffer(bytes(image.constBits()), np.uint8)
    return pixels.reshape(ART_HEIGHT_PX, width_px, 4).copy()


def svg_cards_deck(package: Path) -> tuple[Art, ...]:
    """Reads the PNG files of the npm package svg-cards (`heart_7.png`, `joker_red.png`)."""
    folder = package / "png" / "2x"
    suits = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
    ranks = {"A": "1", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
    names = [(la, f"{suits[la[1]]}_{ranks.get(la[0], la[0])}") for la in suit_cards()]
    names += [("X1", "joker_black"), ("X2", "joker_red")]
    names += [(f"back{i}", f"back-{c}") for i, c in enumerate(("blue", "red", "green", "black"))]
    return tuple(Art(label, _png(folder / f"{name}.png")) for label, name in names)


def _png(path: Path) -> Picture:
    rgba = _decoded(_present(path, "npm pack svg-cards").read_bytes(), str(path))
    width_px = round(ART_HEIGHT_PX * rgba.shape[1] / rgba.shape[0])
    larger = cv2.resize(rgba, (width_px, ART_HEIGHT_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray(larger, np.uint8)


# The package holds React components only; this stand-in for React writes them out as SVG text.
_REACT_TO_SVG = r"""
const _extends = Object.assign, Fragment = "g";
const kept = /^(viewBox|preserveAspectRatio|gradient|pattern[A-Z]|clipPathUnits)/;
const name = k => k.startsWith("xlink") ? "xlink:" + k.slice(5).toLowerCase()
  : kept.test(k) ? k : k.replace(/[A-Z]/g, c => "-" + c.toLowerCase());
const text = v => String(v).replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
const React = { Fragment, createElement: (tag, props, ...children) => {
  const wanted = Object.entries(props || {}).filter(([k, v]) => v != null && k !== "className");
  const style = s => Object.entries(s).map(([k, v]) => name(k) + ":" + v).join(";");
  const given = wanted.map(([k, v]) => ` ${name(k)}="${text(k === "style" ? style(v) : v)}"`);
  return `<${tag}${given.join("")}>${children.flat().filter(Boolean).join("")}</${tag}>`;
} };
"""
_WRITE_SVG = r"""
import { writeFileSync } from "node:fs";
const link = { xmlnsXlink: undefined, "xmlns:xlink": "http://www.w3.org/1999/xlink" };
for (const [card, draw] of Object.entries(cards))
  writeFileSync(`${process.argv[2]}/${card}.svg`, draw(link));
"""


def react_deck(package: Path) -> tuple[Art, ...]:
    """Draws the npm package @letele/playing-cards by running its components under node."""
    source = _present(package / "dist" / "index.esm.js", "npm pack @letele/playing-cards")
    folder = package / "svg"
    if not folder.is_dir():
        _write_react_svg(source.read_text("utf-8"), folder)
    names = [(la, f"{la[1]}{la[0].replace('T', '10')}") for la in suit_cards()]
    names += [("X1", "J1"), ("X2", "J2"), ("back0", "B1"), ("back1", "B2")]
    return tuple(Art(la, _rsvg(folder / f"{name}.svg", ART_HEIGHT_PX)) for la, name in names)


def _write_react_svg(source: str, folder: Path) -> None:
    node = shutil.which("node")
    if node is None:
        raise ArtMissingError("node is missing: apt-get install nodejs")
    body = re.sub(r"^import .*$", "", source, flags=re.MULTILINE)
    body = re.sub(r"^export .*$", "", body, flags=re.MULTILINE)
    cards = ", ".join(
        f'"{n}": Svg{n}' for n in re.findall(r"^const Svg(\w+) =", body, flags=re.MULTILINE)
    )
    fresh = folder.with_name("svg-unfinished")
    fresh.mkdir(exist_ok=True)
    program = fresh / "write.mjs"
    program.write_text(f"{_REACT_TO_SVG}\n{body}\nconst cards = {{ {cards} }};\n{_WRITE_SVG}")
    command = [node, str(program), str(fresh)]
    done = subprocess.run(command, capture_output=True, timeout=COMMAND_LIMIT_S, check=False)
    if done.returncode != 0:
        raise ArtMissingError(
            f"node cannot draw {folder.parent}: {done.stderr.decode()[-100:].strip()}"
        )
    fresh.rename(folder)


def npm_package(name: str, version: str, folder: Path) -> Path:
    """Fetches one npm package into `folder` unless it is there, and returns its root."""
    root = folder / name.strip("@").replace("/", "-")
    if (root / "package" / "package.json").is_file():
        return root / "package"
    npm = shutil.which("npm")
    if npm is None:
        raise ArtMissingError("npm is missing: apt-get install npm")
    root.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", f"{name}@{version}", "--pack-destination", str(root)]
    done = subprocess.run(command, capture_output=True, timeout=COMMAND_LIMIT_S, check=False)
    packed = sorted(root.glob("*.tgz"))
    if done.returncode != 0 or not packed:
        raise ArtMissingError(f"npm package {name}@{version} cannot be fetched: npm pack {name}")
    with tarfile.open(packed[0]) as archive:
        archive.extractall(root, filter="data")
    return root / "package"


def _present(path: Path, remedy: str) -> Path:
    if not path.exists():
        raise ArtMissingError(f"{path} is missing: {remedy}")
    return path
