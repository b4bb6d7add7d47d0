"""The doctor's checks of the machine: Python, packages, models, sample clip, disk."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import numpy as np

from referee import app
from referee.commands import BadInput

OLDEST_PYTHON = (3, 11)
PACKAGES = {"numpy": 2, "onnxruntime": 1, "pyserial": 3, "tqdm": 4}
# OpenCV comes under several names that all give `cv2`.
OPENCV_NAMES = ("opencv-python-headless", "opencv-python", "opencv-contrib-python")
OPENCV_MAJOR = 5
CHECKSUMS = "SHA256SUMS"
# A match's record with pictures of every ruling is some 200 MB; below that none can be kept.
LEAST_DISK_MB, EASY_DISK_MB = 300, 2000


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's result; `advice` says what to do and is None where nothing is to be done."""

    check: str
    verdict: Literal["ok", "warn", "fail"]
    found: str
    advice: str | None = None


def check_python() -> Finding:
    """Check the Python that runs."""
    found = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info >= OLDEST_PYTHON:
        return Finding("python", "ok", found)
    return Finding("python", "fail", found, "install Python 3.11 or newer")


def check_packages() -> Iterator[Finding]:
    """Check each package that the referee needs."""
    for name, major in PACKAGES.items():
        yield package_finding(name, (name,), major)
    yield package_finding("opencv", OPENCV_NAMES, OPENCV_MAJOR)


def package_finding(check: str, names: tuple[str, ...], major: int) -> Finding:
    """Check that a package is there under one of its names, and new enough."""
    for name in names:
        try:
            found = version(name)
        except PackageNotFoundError:
            continue
        if int(found.partition(".")[0]) >= major:
            return Finding(check, "ok", f"{name} {found}")
        advice = f"pip install --upgrade {name}"
        return Finding(check, "fail", f"{name} {found} is older than {major}.0", advice)
    return Finding(check, "fail", "not installed", f"pip install {names[0]}")


def check_models(models: str | None, threads: int) -> Iterator[Finding]:
    """Check that the models are there, unchanged, and can read a picture."""
    try:
        folder = app.models_dir(models)
        for path in sorted(folder.glob("*.onnx")):
            yield model_finding(path, folder / CHECKSUMS)
        app.open_reader(models, threads).read(np.full((240, 320, 3), 128, np.uint8))
    except BadInput as error:
        yield Finding("models", "fail", str(error), "install the referee again")
        return
    yield Finding("models", "ok", f"the reader in {folder} works")


def model_finding(path: Path, checksums: Path) -> Finding:
    """Compare a model's SHA-256 with the list beside it, where there is one."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    text = checksums.read_text(encoding="utf-8") if checksums.is_file() else ""
    # One line a file, as sha256sum writes it: digest, blanks, name.
    lines = [line.split() for line in text.splitlines()]
    listed = {words[1].lstrip("*"): words[0] for words in lines if len(words) == 2}
    found = f"{path.name} {path.stat().st_size / 1e6:.1f} MB, sha256 {digest[:12]}"
    if listed.get(path.name, digest) == digest:
        return Finding("model", "ok", found)
    advice = f"it is not the one that {checksums} lists: install the referee again"
    return Finding("model", "fail", found, advice)


def check_sample() -> Finding:
    """Check that the sample clip came with the installation."""
    missing = [path.name for path in (app.DEMO_CLIP, app.DEMO_TRUTH) if not path.is_file()]
    if missing:
        text = f"{' and '.join(missing)} not in {app.DEMO_CLIP.parent}"
        return Finding("sample clip", "fail", text, "install the referee again")
    return Finding("sample clip", "ok", f"{app.DEMO_CLIP.stat().st_size / 1e6:.1f} MB")


def check_disk() -> Finding:
    """Check the free space where records would be written: here."""
    free_mb = shutil.disk_usage(Path.cwd()).free / 1e6
    found = f"{free_mb / 1000:.1f} GB free in {Path.cwd()}"
    if free_mb < LEAST_DISK_MB:
        return Finding("disk", "fail", found, "make room: a match's record needs up to 0.3 GB")
    if free_mb < EASY_DISK_MB:
        return Finding("disk", "warn", found, "make room soon: ten matches need 2 GB")
    return Finding("disk", "ok", found)


def check_pads() -> Finding:
    """Say which touch pads are plugged in; they are not opened, for that would restart them."""
    # Only here: the doctor must also say what is wrong where pyserial is missing.
    try:
        from referee.pads.ports import find_ports
    except ImportError as error:
        return Finding("pads", "fail", f"cannot be looked for: {error}", "pip install pyserial")
    ports = find_ports()
    if not ports:
        return Finding("pads", "ok", "none plugged in; without them the camera judges hits")
    found = ", ".join(f"{port.chip} at {port.device}" for port in ports)
    closed = [port.device for port in ports if not os.access(port.device, os.R_OK | os.W_OK)]
    if closed:
        advice = "you may not open it: `sudo usermod -aG dialout $USER`, then log in again"
        return Finding("pads", "warn", found, f"{', '.join(closed)}: {advice}")
    return Finding("pads", "ok", f"{found}; `referee pads test` tries them")
