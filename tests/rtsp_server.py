"""An RTSP camera for the tests, run by Debian's Python: GStreamer's server with a test picture.

Arguments: open port, locked port, user, password, H.264 video. /live is a moving test picture, at
the open port for everybody, at the locked one with the password; /game plays the video once.
Needs gir1.2-gst-rtsp-server-1.0, gstreamer1.0-plugins-base, gstreamer1.0-plugins-good, python3-gi.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402 - after the versions

PATTERN = (
    "( videotestsrc is-live=true pattern=smpte"
    " ! video/x-raw,format=I420,width=320,height=240,framerate=20/1"
    " ! jpegenc ! rtpjpegpay name=pay0 pt=26 )"
)
FILE = "( filesrc location={} ! qtdemux ! rtph264pay name=pay0 config-interval=1 pt=96 )"
ROLE = "player"


def offer(server: GstRtspServer.RTSPServer, path: str, pipeline: str) -> None:
    """Offer a picture at a path."""
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(pipeline)
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_permission_for_role(ROLE, "media.factory.access", True)
    permissions.add_permission_for_role(ROLE, "media.factory.construct", True)
    factory.set_permissions(permissions)
    server.get_mount_points().add_factory(path, factory)


def listen(port: str) -> GstRtspServer.RTSPServer:
    """Return a server for a port of this machine."""
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    return server


def lock(server: GstRtspServer.RTSPServer, user: str, password: str) -> None:
    """Let nobody in without the password, asked for by Digest."""
    auth = GstRtspServer.RTSPAuth()
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    known = GstRtspServer.RTSPToken()
    known.set_string("media.factory.role", ROLE)
    auth.add_digest(user, password, known)
    server.set_auth(auth)


def main() -> None:
    """Serve until killed."""
    open_port, locked_port, user, password, video = sys.argv[1:]
    Gst.init(None)
    free, locked = listen(open_port), listen(locked_port)
    lock(locked, user, password)
    for server in (free, locked):
        offer(server, "/live", PATTERN)
        server.attach(None)
    offer(free, "/game", FILE.format(video))
    print("ready", flush=True)
    GLib.MainLoop().run()


main()
