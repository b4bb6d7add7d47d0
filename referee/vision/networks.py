"""Opens the four reading networks and runs them; all that depends on how they were trained.

The finder looks at a whole picture and gives, for every 4 x 4 px, whether a printed index (rank
over suit) has its middle there, and for every 8 x 8 px, whether a card has; the index reader
looks at one upright index, the face reader at the whole face that it is printed on, the pip reader
at the single pips of a black one. All take uint8 blue-green-red pixels as they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

RANKS = "A23456789TJQK"
SUITS = "CDHS"
JOKER = "JOKER"
# Number cards share 2 to 9 and the 10 with the others; these are the numbers only they have.
NUMBERS = ("1", *(str(number) for number in range(11, 19)))
# Courts and aces of other languages; the last two are Cyrillic.
LETTERS = ("B", "D", "V", "R", "H", "Kn", "Д", "Т")
PRINTED = (*RANKS, JOKER, *NUMBERS, *LETTERS)
JOKER_RANK, NO_SUIT = len(RANKS), len(SUITS)
RANK_LOGITS, SUIT_LOGITS = len(PRINTED), NO_SUIT + 1
IS_INDEX = RANK_LOGITS + SUIT_LOGITS
POSE = slice(IS_INDEX + 1, IS_INDEX + 5)
FINE_CELL_PX, COARSE_CELL_PX = 4, 8
AXIS_UNIT_PX, MIDDLE_UNIT_PX, OUTLINE_UNIT_PX = 16.0, 64.0, 64.0
CROP_PX, CROP_HALF_PX = 48, 14.0
# Rows and columns of an upright face, and how far its index is from its middle: on a poker card of
# 84 px, 10 / 13 of the way to the corner.
FACE_PX, FACE_REACH_PX = (96, 72), 40.0
PIP_PX = 20  # of such a face: a pip is 12 px high
FEATURES = 1296
STRIDE_PX = 32

OUTPUTS = {
    "fine": 7 + RANK_LOGITS + SUIT_LOGITS,
    "logits": IS_INDEX + 5,
    "names": IS_INDEX,
    "spades": 1,
}

FloatArray = NDArray[np.float32]
Image = NDArray[np.uint8]


class ModelError(Exception):
    """A model file is missing or is not what the reader needs; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Maps:
    """What the finder says of one picture.

    fine: 43 x H/4 x W/4 (heat logit, offset x y in cells, half-height vector x y, vector to the
    card's middle x y, 31 rank and 5 suit logits). coarse: 12 x H/8 x W/8 (face and back heat
    logits, middle x y, doubled half-height vector, doubled half-width vector, surface logits:
    table, face, back, hand).
    """

    fine: FloatArray
    coarse: FloatArray


class Networks:
    """The four onnxruntime sessions."""

    def __init__(self, models_dir: Path, threads: int, quick: bool = False) -> None:
        """Open a finder and `index`, `face` and `pip.onnx` in `models_dir`. Raises ModelError.

        `quick` takes the finder that counts in 8 bits: a third less time for a picture, and one
        or two indices in a thousand more that are named wrong.
        """
        finder = models_dir / ("finder8.onnx" if quick else "finder.onnx")
        self._finder = _open(finder, threads, ("fine", "coarse"))
        self._reader = _open(models_dir / "index.onnx", threads, ("logits", "features"))
        self._faces = _open(models_dir / "face.onnx", threads, ("names",))
        self._pips = _open(models_dir / "pip.onnx", threads, ("spades",))

    def find(self, picture: Image) -> Maps:
        """Maps of one picture (H x W x 3, both multiples of STRIDE_PX)."""
        fine, coarse = self._finder.run(None, {"image": picture[None]})
        return Maps(fine[0], coarse[0])

    def read(self, crops: Image) -> tuple[FloatArray, FloatArray]:
        """N x 41 answers about N x CROP_PX x CROP_PX x 3 crops, and N x FEATURES.

        Logits of 31 signs (PRINTED), 5 suits (the last: none) and of being an
        index; then how the index lies in the crop:
        right and down (half heights), log size, turn (rad, clockwise). The features are what the
        network made its answers of.
        """
        logits, features = self._reader.run(None, {"crops": crops})
        return logits, features

    def name(self, faces: Image) -> FloatArray:
        """N x 36 logits of 31 signs and 5 suits, of N x FACE_PX x 3 upright faces."""
        return np.asarray(self._faces.run(None, {"faces": faces})[0])

    def spades(self, pips: Image) -> FloatArray:
        """N log-odds of spades over clubs, of N x PIP_PX x PIP_PX x 3 places of black pips."""
        return np.asarray(self._pips.run(None, {"pips": pips})[0])[:, 0]


def _open(path: Path, threads: int, outputs: tuple[str, ...]) -> ort.InferenceSession:
    if not path.is_file():
        raise ModelError(
            f"model file {path} is missing: install table-referee again or give --models DIR"
        )
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    # Threads that spin while they wait made the networks three times slower on a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # onnxruntime raises many kinds, all with C++ text
        reason = str(problem).splitlines()[0][:120]
        raise ModelError(
            f"model file {path} cannot be used ({reason}): install table-referee again"
        ) from None
    found = session.get_outputs()
    if tuple(o.name for o in found) != outputs or found[0].shape[1] != OUTPUTS[outputs[0]]:
        raise ModelError(
            f"model file {path} is of another kind or version: install table-referee again"
        )
    return session
