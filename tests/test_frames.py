"""Pictures and videos: read as stored, and what is wrong with the others said in one line."""

from __future__ import annotations

import struct
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import Image, at, write_picture, write_video
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.address import SourceError
from referee.vision.containers import cut_short
from referee.vision.frames import (
    BACK_NS,
    Frame,
    file_frames,
    frame_count,
    read_picture,
    video_frames,
)
from referee.vision.headers import read_header


def complaint(path: Path) -> str:
    """Read a file to its end and return the one line that it is refused with."""
    with pytest.raises(SourceError) as caught:
        list(file_frames(at(path)))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(str(path))
    return text.removeprefix(str(path))


def take_all(path: Path, frames: list[Frame]) -> None:
    """Read a file to its end, keeping the frames that come before a complaint."""
    for frame in file_frames(at(path)):
        frames.append(frame)


def exif(orientation: int, order: str) -> bytes:
    """Return an Exif segment that says only how the picture is turned."""
    mark = {"<": b"II", ">": b"MM"}[order]
    tiff = mark + struct.pack(f"{order}HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return b"\xff\xe1" + struct.pack(">H", 8 + len(tiff)) + b"Exif\0\0" + tiff


def empty_png(width_px: int, height_px: int) -> bytes:
    """Return a whole PNG whose header promises a size that its few bytes do not hold."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


@pytest.mark.parametrize("end", ["png", "bmp", "tif", "webp", "jpg"])
def test_every_format_gives_the_picture(tmp_path: Path, table: Image, end: str) -> None:
    path = write_picture(tmp_path / f"table.{end}", table)
    frame = read_picture(at(path))
    assert (frame.width_px, frame.height_px, frame.t_ns, frame.n) == (96, 64, None, 0)
    header = read_header(path.read_bytes())
    assert header is not None
    assert (header.width_px, header.height_px, header.whole) == (96, 64, True)
    tolerance = 60 if end in ("jpg", "webp") else 0
    assert np.abs(frame.image_bgr.astype(int) - table).max() <= tolerance


def test_sixteen_bit_grey_and_transparent_pictures_become_eight_bit_colour(
    tmp_path: Path, table: Image
) -> None:
    grey = cv2.cvtColor(table, cv2.COLOR_BGR2GRAY)
    deep = table.astype(np.uint16) * 257
    clear = cv2.cvtColor(table, cv2.COLOR_BGR2BGRA)
    for name, image in (("grey", grey), ("deep", deep), ("clear", clear)):
        frame = read_picture(at(write_picture(tmp_path / f"{name}.png", image)))
        assert (frame.image_bgr.shape, frame.image_bgr.dtype) == ((64, 96, 3), np.uint8)
        expected = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if name == "grey" else table
        assert np.array_equal(frame.image_bgr, expected)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_turned_photograph_is_read_as_stored(
    tmp_path: Path, table: Image, orientation: int, order: str
) -> None:
    data = cv2.imencode(".jpg", table)[1].tobytes()
    path = tmp_path / "turned.jpg"
    path.write_bytes(data[:2] + exif(orientation, order) + data[2:])
    frame = read_picture(at(path))
    assert (frame.width_px, frame.height_px, frame.orientation) == (96, 64, orientation)


def test_a_picture_cut_off_anywhere_is_refused(tmp_path: Path, table: Image) -> None:
    for end in ("jpg", "png", "webp", "bmp", "tif"):
        whole = write_picture(tmp_path / f"whole.{end}", table).read_bytes()
        path = tmp_path / f"cut.{end}"
        for share in (0.2, 0.5, 0.9):
            path.write_bytes(whole[: max(40, int(share * len(whole)))])
            assert "cut off" in complaint(path) or end == "tif"


def test_what_is_no_picture_is_said_in_one_line(tmp_path: Path) -> None:
    contents = {
        "empty.jpg": (b"", "empty"),
        "text.jpg": (b"hello, this is no picture", "not a picture"),
        "start.jpg": (b"\xff\xd8\xff", "not a picture"),
        "hollow.png": (empty_png(96, 64), "damaged"),
        "nothing.png": (empty_png(0, 64), "no size"),
        "huge.png": (empty_png(20_000, 20_000), "20000 x 20000 pixels is more than 100 megapixels"),
        "empty.mp4": (b"", "empty"),
        "noise.mp4": (bytes(range(256)) * 40, "not a video"),
        "noise.mkv": (b"\x1a\x45\xdf\xa3" + bytes(500), "not a video"),
    }
    for name, (data, reason) in contents.items():
        (tmp_path / name).write_bytes(data)
        assert reason in complaint(tmp_path / name), name


@given(st.binary(max_size=300), st.sampled_from([b"", b"\xff\xd8\xff", b"BM", b"II*\0", b"MM\0*"]))
def test_no_bytes_upset_the_header(data: bytes, start: bytes) -> None:
    header = read_header(start + data)
    assert header is None or 1 <= header.orientation <= 8


@given(
    st.binary(max_size=200), st.sampled_from([b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"RIFF....WEBP"])
)
def test_no_bytes_upset_the_header_of_chunks(data: bytes, start: bytes) -> None:
    header = read_header(start + data)
    assert header is None or header.width_px >= 0


def test_a_video_gives_every_frame_in_order_with_its_time(tmp_path: Path, table: Image) -> None:
    shades = [np.full_like(table, shade) for shade in range(0, 240, 20)]
    path = write_video(tmp_path / "shades.avi", shades, rate_fps=10.0)
    frames = list(video_frames(at(path)))
    assert frame_count(at(path)) == len(frames) == 12
    assert [frame.n for frame in frames] == list(range(12))
    assert [round(float(frame.image_bgr.mean()), -1) for frame in frames] == list(range(0, 240, 20))
    assert [frame.t_ns for frame in frames] == [n * 100_000_000 for n in range(12)]
    # Somewhere in a tenth of a second: 100 ms / sqrt(12).
    assert {frame.sigma_ns for frame in frames} == {28_867_513}


@pytest.mark.parametrize("end", ["avi", "mp4", "mkv"])
def test_a_video_that_ends_within_a_frame_says_so_after_its_last(tmp_path: Path, end: str) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (10, 64, 96, 3), np.uint8)
    whole = write_video(tmp_path / f"whole.{end}", list(noise))
    assert not cut_short(whole)
    path = tmp_path / f"cut.{end}"
    path.write_bytes(whole.read_bytes()[: int(0.55 * whole.stat().st_size)])
    frames: list[Frame] = []
    with pytest.raises(SourceError, match="cut off"):
        take_all(path, frames)
    # An MP4 keeps its index at the end, so without that nothing of it can be read.
    assert len(frames) in (range(4, 7) if end != "mp4" else range(1))


def test_a_damaged_picture_ends_no_video(tmp_path: Path) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (10, 64, 96, 3), np.uint8)
    whole = bytearray(write_video(tmp_path / "whole.avi", list(noise)).read_bytes())
    fourth = [k for k in range(len(whole)) if whole.startswith(b"\xff\xd8\xff", k)][3]
    whole[fourth : fourth + 1500] = bytes(1500)
    path = tmp_path / "damaged.avi"
    path.write_bytes(whole)
    times_ms = [frame.t_ns // 1_000_000 for frame in video_frames(at(path)) if frame.t_ns]
    assert times_ms == [100, 200, 400, 500, 600, 700, 800, 900]


def test_the_times_of_videos_that_were_joined_never_go_back(tmp_path: Path, table: Image) -> None:
    write_video(tmp_path / "one.avi", [table] * 5)
    command = "ffmpeg -v error -i one.avi -c:v mpeg2video -r 25 -f mpegts one.ts"
    subprocess.run(command.split(), cwd=tmp_path, check=True)
    (tmp_path / "two.ts").write_bytes(2 * (tmp_path / "one.ts").read_bytes())
    times_ns = [frame.t_ns or 0 for frame in video_frames(at(tmp_path / "two.ts"))]
    assert times_ns == sorted(times_ns)
    # In between nobody knows how much is missing.
    assert max(b - a for a, b in pairwise(times_ns)) == BACK_NS


def test_a_video_name_that_looks_like_a_protocol_is_a_file(
    tmp_path: Path, table: Image, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_video(tmp_path / "game.avi", [table] * 3).rename(tmp_path / "pipe:0.avi")
    monkeypatch.chdir(tmp_path)
    assert len(list(video_frames(at("pipe:0.avi")))) == 3


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, picture: Path) -> None:
    link = tmp_path / "gone.jpg"
    address = at(picture)
    picture.rename(link)
    with pytest.raises(SourceError, match="cannot be read"):
        read_picture(address)
