"""Live sources against real servers: stalls, cuts, passwords, changes of size, and their ends."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import HANG_S, Image, at, write_video
from servers import LOGIN_IN_URL, RtspServer, camera, free_port, jpeg, part, rtsp_server

from referee.vision.address import SourceError
from referee.vision.camera import (
    WAITING,
    LiveSource,
    Lost,
    News,
    Resized,
    Returned,
    Shot,
    Stalled,
    Tap,
    driver_t_ns,
    news_text,
    open_tap,
)
from referee.vision.frames import Frame


def wait(source: LiveSource, *, in_turn: bool = False) -> Frame | News:
    """Return the next frame or news; only a hang makes this fail."""
    got = source.wait(HANG_S, in_turn=in_turn)
    assert got is not None, "nothing came"
    return got


def wait_for(source: LiveSource, kind: type[Frame] | type[News]) -> Frame | News:
    """Return the next of this kind and pass over the others."""
    got = wait(source)
    while not isinstance(got, kind):
        got = wait(source)
    return got


def shade(frame: Frame | News) -> int:
    """Return the grey of an even frame, to the nearest ten."""
    assert isinstance(frame, Frame)
    return 10 * round(float(frame.image_bgr.mean()) / 10)


def take_greys(tap: Tap, greys: list[float]) -> None:
    """Note the grey of every frame until the tap gives no more."""
    while True:
        greys.append(round(float(tap.take().image_bgr.mean()), -1))


def refused(url: str) -> str:
    """Return the line with which an address is refused."""
    with pytest.raises(SourceError) as caught:
        open_tap(at(url), patience_s=30).take()
    text = str(caught.value)
    assert "\n" not in text
    assert "p@ss" not in text
    assert "p%40ss" not in text
    return text


def test_the_newest_frame_wins_and_the_overtaken_ones_are_counted() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)))
        source = LiveSource(at(phone.url()))
        first = wait(source)
        phone.send(*(part(jpeg(grey)) for grey in (20, 30, 40, 50)))
        frames = [first]
        while shade(frames[-1]) != 50:
            frames.append(wait(source))
        source.close()
    counts = [frame.n for frame in frames if isinstance(frame, Frame)]
    times_ns = [frame.t_ns or 0 for frame in frames if isinstance(frame, Frame)]
    assert counts[0] == 0
    assert counts[-1] == 4
    assert times_ns == sorted(times_ns)


class Flicker:
    """A camera that gives pictures of these greys one after the other, then none until closed."""

    def __init__(self, *greys: int) -> None:
        self._greys = iter(greys)
        self.given, self.closed = threading.Event(), threading.Event()

    def take(self) -> Shot:
        grey = next(self._greys, None)
        if grey is None:
            self.given.set()
            assert self.closed.wait(HANG_S)
            raise SourceError("closed")
        return Shot(np.full((64, 96, 3), grey, np.uint8), 0, 0)

    def close(self) -> None:
        self.closed.set()


def busy_meanwhile(*greys: int) -> tuple[Flicker, LiveSource]:
    """Return a camera that gave all these pictures before anybody asked for one."""
    flicker = Flicker(*greys)
    source = LiveSource(at("http://127.0.0.1/"), tap=lambda _: flicker)
    assert flicker.given.wait(HANG_S)
    return flicker, source


def test_a_match_that_is_busy_for_a_moment_takes_the_frames_that_waited_in_turn() -> None:
    flicker, source = busy_meanwhile(*range(10, 130, 10))
    frames = [wait(source, in_turn=True) for _ in range(WAITING)]
    assert [shade(frame) for frame in frames] == list(range(30, 130, 10))
    waiting = [frame.waiting for frame in frames if isinstance(frame, Frame)]
    assert waiting == list(range(WAITING))[::-1]
    assert source.wait(0.0, in_turn=True) is None
    flicker.close()
    source.close()


def test_who_wants_to_know_how_it_is_now_gets_no_older_picture() -> None:
    flicker, source = busy_meanwhile(10, 20, 30)
    assert shade(wait(source)) == 30
    assert source.wait(0.0) is None
    flicker.close()
    source.close()


def test_a_stall_is_told_once_and_so_is_the_return() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)))
        source = LiveSource(at(phone.url()), stall_s=0.3)
        assert shade(wait(source)) == 10
        stalled = wait(source)
        assert isinstance(stalled, Stalled)
        assert stalled.for_s >= 0.3
        assert source.wait(0.5) is None
        phone.send(part(jpeg(90)))
        returned = wait(source)
        assert isinstance(returned, Returned)
        assert returned.after_s >= 0.8
        assert shade(wait(source)) == 90
        source.close()


def test_a_stream_that_ends_is_told_and_opened_again() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)), None)
        source = LiveSource(at(phone.url()), stall_s=HANG_S)
        phone.send(part(jpeg(70)))
        lost = wait_for(source, Lost)
        assert isinstance(lost, Lost)
        assert "ended" in lost.why
        # The first frame may come before or after the news of the loss, never after the return.
        got = wait(source)
        if isinstance(got, Frame):
            assert shade(got) == 10
            got = wait(source)
        assert isinstance(got, Returned)
        assert shade(wait(source)) == 70
        assert phone.connections == 2
        source.close()


def test_a_picture_cut_by_the_connections_end_is_no_frame() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)), part(jpeg(200))[:-60], None)
        source = LiveSource(at(phone.url()), stall_s=HANG_S)
        phone.send(part(jpeg(70)))
        seen = []
        while 70 not in seen:
            seen.append(shade(wait_for(source, Frame)))
        source.close()
    assert 200 not in seen


def test_a_change_of_size_is_told_before_its_first_frame() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)))
        source = LiveSource(at(phone.url()))
        assert shade(wait(source)) == 10
        phone.send(part(jpeg(10, 128, 72)))
        resized = wait(source)
        assert resized == Resized(source.address.shown, (96, 64), (128, 72))
        assert "from 96 x 64 to 128 x 72" in news_text(resized)
        frame = wait(source)
        assert isinstance(frame, Frame)
        assert (frame.width_px, frame.height_px) == (128, 72)
        source.close()


@pytest.mark.parametrize("scheme", ["basic", "digest"])
def test_a_password_opens_what_it_should_and_is_asked_for(scheme: str) -> None:
    with camera(login=scheme) as phone:
        phone.send(part(jpeg(60)))
        assert "asks for a password" in refused(phone.url())
        assert "wrong" in refused(phone.url(login="ann:p%40ssword"))
        tap = open_tap(at(phone.url(login=LOGIN_IN_URL)), patience_s=30)
        assert round(float(tap.take().image_bgr.mean())) == 60
        tap.close()


def test_what_is_no_stream_is_refused_with_advice() -> None:
    with camera(content_type="text/html") as page, camera(content_type="image/jpeg") as still:
        assert "no stream at this path" in refused(page.url(path="/else"))
        page.send(b"<html>hello</html>")
        assert "web page" in refused(page.url())
        still.send(b"GIF89a of one picture")
        assert "single picture" in refused(still.url())


def test_a_stream_of_no_pictures_is_refused() -> None:
    with camera() as phone:
        phone.send(b"--nothing\r\n", None)
        assert "ended" in refused(phone.url())


def test_hosts_that_are_not_there_are_named() -> None:
    port = free_port()
    for scheme in ("http", "rtsp"):
        assert "nothing listens" in refused(f"{scheme}://ann:p%40ss@127.0.0.1:{port}/x")
        assert "no host of this name" in refused(f"{scheme}://no-such-host.invalid/x")


def test_a_server_of_another_kind_is_named() -> None:
    with camera() as phone:
        assert "not as an RTSP server" in refused(f"rtsp://127.0.0.1:{phone.server_address[1]}/x")


def test_ffmpegs_own_stream_is_read() -> None:
    program = shutil.which("ffmpeg")
    assert program, "the tests need ffmpeg: apt-get install ffmpeg"
    url = f"http://127.0.0.1:{free_port()}/video"
    pattern = ["-re", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=25"]
    command = [program, "-v", "quiet", *pattern, "-f", "mpjpeg", "-listen", "1", url]
    server = subprocess.Popen(command)
    try:
        source = open_when_up(url, server)
        frame = wait_for(source, Frame)
        assert isinstance(frame, Frame)
        assert (frame.width_px, frame.height_px) == (320, 240)
        source.close()
    finally:
        server.kill()
        server.wait(HANG_S)


def open_when_up(url: str, server: subprocess.Popen[bytes]) -> LiveSource:
    """Open a stream whose server is still starting."""
    while True:
        try:
            return LiveSource(at(url))
        except SourceError as error:
            if "nothing listens" not in str(error) or server.poll() is not None:
                raise


@pytest.fixture(scope="module")
def rtsp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RtspServer]:
    """GStreamer's RTSP server with a video of ten grey frames in H.264."""
    folder = tmp_path_factory.mktemp("rtsp")
    frames: list[Image] = [np.full((240, 320, 3), 20 * n, np.uint8) for n in range(1, 11)]
    raw = write_video(folder / "raw.avi", frames)
    video = folder / "game.mp4"
    command = ["ffmpeg", "-v", "error", "-i", raw, "-c:v", "libx264", "-pix_fmt", "yuv420p", video]
    subprocess.run(command, check=True, timeout=HANG_S)
    with rtsp_server(video) as server:
        yield server


def test_an_rtsp_camera_is_read(rtsp: RtspServer) -> None:
    source = LiveSource(at(f"rtsp://127.0.0.1:{rtsp.open_port}/live"))
    frames = [wait_for(source, Frame) for _ in range(3)]
    source.close()
    assert [frame.image_bgr.shape for frame in frames if isinstance(frame, Frame)] == [
        (240, 320, 3)
    ] * 3


def test_an_rtsp_video_in_h264_is_read_until_it_ends(rtsp: RtspServer) -> None:
    tap = open_tap(at(f"rtsp://127.0.0.1:{rtsp.open_port}/game"))
    greys: list[float] = []
    with pytest.raises(SourceError, match="ended or fallen silent"):
        take_greys(tap, greys)
    tap.close()
    assert greys == sorted(greys)
    assert greys[-1] == 200


def test_an_rtsp_camera_with_a_password(rtsp: RtspServer) -> None:
    place = f"127.0.0.1:{rtsp.locked_port}/live"
    assert "asks for a password" in refused(f"rtsp://{place}")
    assert "wrong" in refused(f"rtsp://ann:p%40ss@{place}")
    tap = open_tap(at(f"rtsp://{LOGIN_IN_URL}@{place}"))
    assert tap.take().image_bgr.shape == (240, 320, 3)
    tap.close()


def test_an_rtsp_path_that_is_not_there_is_named(rtsp: RtspServer) -> None:
    assert "no stream at this path" in refused(f"rtsp://127.0.0.1:{rtsp.open_port}/none")


def test_a_camera_that_is_not_there_is_named() -> None:
    assert "no camera there" in refused("camera:97")
    assert "no camera" in refused("/dev/null")


@pytest.mark.parametrize(
    ("stamp_ms", "expected_ns"),
    [
        (5_000.0, 5_000_000_000),
        (4_100.5, 4_100_500_000),
        (0.0, None),
        (5_000.1, None),
        (1e12, None),
    ],
)
def test_a_drivers_stamp_is_taken_only_from_our_clock(
    stamp_ms: float, expected_ns: int | None
) -> None:
    assert driver_t_ns(stamp_ms, now_ns=5_000_000_000) == expected_ns


def test_closing_ends_the_reading() -> None:
    with camera() as phone:
        phone.send(part(jpeg(10)))
        source = LiveSource(at(phone.url()))
        phone.send(part(jpeg(20)), None)
        source.close()
        assert not any(thread.name == source.address.shown for thread in threading.enumerate())
