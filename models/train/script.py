"""The options that all scripts have which ask the networks about drawn scenes."""

from __future__ import annotations

import argparse
from pathlib import Path

HERE = Path(__file__).parent


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a script's parser, with `models` (the networks) and `data` (what scenes are of)."""
    ap = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("--models", type=Path, default=HERE.parent)
    ap.add_argument("--data", type=Path, default=HERE / "data")
    return ap
