"""Addresses: one syntax for all sources, and no password ever shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Image, at, write_picture, write_video
from hypothesis import given
from hypothesis import strategies as st

from referee.vision.address import (
    Kind,
    Mode,
    SourceError,
    credentials,
    files_in,
    natural_order,
    parse_address,
    without_credentials,
    without_password,
)


def test_a_camera_is_named_by_its_number() -> None:
    camera = at("camera:2")
    assert (camera.kind, camera.target, camera.shown) == (Kind.DEVICE, "/dev/video2", "camera:2")


def test_a_camera_is_asked_for_the_size_and_the_rate_that_are_wanted() -> None:
    modes = [at(f"camera:0{text}").mode for text in ("", "@3840x2160", "@1920x1080@60", "@60")]
    assert modes == [
        Mode(1920, 1080, 30),
        Mode(3840, 2160, 30),
        Mode(1920, 1080, 60),
        Mode(1920, 1080, 60),
    ]


def test_demo_is_the_clip_that_comes_with_the_referee() -> None:
    demo = parse_address("demo", Path("/somewhere/demo.mp4"))
    assert (demo.kind, demo.target) == (Kind.VIDEO, "/somewhere/demo.mp4")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("rtsp://host:8554/table", Kind.RTSP),
        ("rtsps://host/table", Kind.RTSP),
        ("http://192.168.1.20:8080/video", Kind.HTTP),
        ("https://host/video", Kind.HTTP),
        ("/dev/null", Kind.DEVICE),
    ],
)
def test_live_sources_are_told_by_their_form(text: str, kind: Kind) -> None:
    assert at(text).kind is kind
    assert at(text).kind.live


def test_files_are_told_by_what_they_hold(tmp_path: Path, table: Image) -> None:
    video = write_video(tmp_path / "game.avi", [table])
    unnamed = video.rename(tmp_path / "game")
    misnamed = write_picture(tmp_path / "table.png", table).rename(tmp_path / "table.mp4")
    assert at(unnamed).kind is Kind.VIDEO
    assert at(misnamed).kind is Kind.IMAGE
    assert at(tmp_path).kind is Kind.FOLDER


@pytest.mark.parametrize(
    "text",
    [
        "camera:",
        "camera:front",
        "camera:-1",
        "camera:0@4K",
        "camera:0@0x0",
        "camera:0@3840x",
        "camera:0@1920x1080@",
        "ftp://host/video",
        "rtsp://",
        "http://host:port/x",
        "http://host:99999/x",
        "http://a b/x",
        "http://[::1/x",
        "no/such/file.jpg",
        "/dev/video987",
        "",
        "a\0b",
    ],
)
def test_an_address_that_means_nothing_gets_one_line(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        at(text)
    assert "\n" not in str(caught.value)


@given(
    user=st.text(st.characters(codec="ascii", exclude_characters="/?#"), min_size=3),
    password=st.text(st.characters(codec="ascii", exclude_characters="/?#"), min_size=3),
    scheme=st.sampled_from(["rtsp", "http", "ftp"]),
)
def test_a_password_is_never_shown(user: str, password: str, scheme: str) -> None:
    assert without_password(f"{scheme}://{user}:{password}@host/v") == f"{scheme}://***@host/v"


def test_a_password_with_odd_signs_and_in_the_query_is_hidden_too() -> None:
    assert without_password("http://u:a/b@c?d@host/v") == "http://***@host/v"
    shown = without_password("http://host/v?user=ann&pwd=secret&size=2&token=t#x")
    assert shown == "http://host/v?user=***&pwd=***&size=2&token=***#x"


def test_an_address_never_names_its_password_in_its_repr() -> None:
    assert "secret" not in repr(at("rtsp://ann:secret@host/v"))
    with pytest.raises(SourceError) as caught:
        at("ftp://ann:secret@host/v")
    assert "secret" not in str(caught.value)


def test_credentials_are_decoded_and_kept_from_the_server_address() -> None:
    url = "rtsp://ann:p%40ss@host:8554/v?x=1"
    assert credentials(url) == ("ann", "p@ss")
    assert credentials("rtsp://host/v") is None
    assert without_credentials(url) == "rtsp://host:8554/v?x=1"


def test_a_folder_is_read_in_natural_order(tmp_path: Path, table: Image) -> None:
    for name in ("t10.png", "t9.png", "t1.png", "T2.png"):
        write_picture(tmp_path / name, table)
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "t3.png").mkdir()
    names = [Path(file.target).name for file in files_in(at(tmp_path))]
    assert names == ["t1.png", "T2.png", "t9.png", "t10.png"]


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture or video in this folder"):
        files_in(at(tmp_path))


@given(st.lists(st.integers(0, 10**6), unique=True))
def test_numbered_names_are_ordered_by_their_numbers(numbers: list[int]) -> None:
    names = sorted((f"IMG_{number}.jpg" for number in numbers), key=natural_order)
    assert names == [f"IMG_{number}.jpg" for number in sorted(numbers)]


@given(st.text(max_size=8), st.text(max_size=8))
def test_any_two_names_can_be_ordered(one: str, other: str) -> None:
    assert (natural_order(one) < natural_order(other)) in (True, False)
