"""The site: pages, pictures and the WebSocket, each behind the door."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.datastructures import Headers, QueryParams
from starlette.requests import Request, cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from referee.screens.assets import build_mark, load_assets
from referee.screens.guard import (
    COOKIE,
    MOST_CLIENTS,
    MOST_CLIENTS_OF_ONE,
    Door,
    is_here,
    key_of,
)
from referee.screens.hub import Hub
from referee.screens.messages import LONGEST_MESSAGE_BYTES
from referee.screens.patch import Fields
from referee.screens.qr import qr_svg
from referee.screens.schema import full_schema
from referee.screens.talk import Talk

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PAGES = {
    "/": "index.html",
    "/setup": "setup.html",
    "/overlay": "overlay.html",
    "/join": "join.html",
    "/help": "help.html",
    "/teach": "teach.html",
}
OUR_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'none'"
)
# A record's page is self-contained and runs apart from ours: it cannot use our cookie.
RECORD_POLICY = (
    "sandbox allow-scripts; default-src 'none'; img-src data:; media-src data:;"
    " style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)
# Pictures a second for one browser; a camera gives more, a phone's radio does not want them.
PICTURES_PER_S = 10
PICTURE_AGAIN_S = 0.5
MOST_STREAMS = 16
ANSWER_TIMEOUT_S = 20.0
# An event's number, and the rule where it has several rulings.
DISPUTE = re.compile(r"[0-9]{1,9}(:[A-Z0-9-]{1,40})?")
OPEN_PATHS = frozenset({"/style.css", "/icon.svg", "/manifest.webmanifest"})


class Teller:
    """Tells the match's process what pages say, and brings back what it was asked for."""

    def __init__(self, say: Callable[[Fields], None]) -> None:
        self._say = say
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._next = 1

    def tell(self, fields: Fields) -> None:
        """Tell one thing."""
        self._say(fields)

    async def ask(self, what: str) -> bytes:
        """Ask for a page of the record; empty where there is none. Raises TimeoutError."""
        number, self._next = self._next, self._next + 1
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self._say({"ask": what, "id": number})
            return await asyncio.wait_for(future, ANSWER_TIMEOUT_S)
        finally:
            del self._waiting[number]

    def answered(self, number: int, data: bytes) -> None:
        """Take an answer."""
        future = self._waiting.get(number)
        if future is not None and not future.done():
            future.set_result(data)


class Site:
    """All that can be asked for. Everything but the WebSocket only reads."""

    LONGEST_BYTES = LONGEST_MESSAGE_BYTES

    def __init__(self, hub: Hub, door: Door, teller: Teller) -> None:
        self._hub, self._door, self._teller = hub, door, teller
        self._assets = load_assets()
        self._talk = Talk(hub, teller.tell, build_mark(self._assets))
        self._streams = 0
        routes = [
            Route("/state.json", self._state),
            Route("/schema.json", self._schema),
            Route("/picture.jpg", self._picture),
            Route("/picture.mjpeg", self._stream),
            Route("/qr.svg", self._qr),
            Route("/dispute/{name}", self._dispute),
            Route("/report", self._report),
            Route("/{path:path}", self._file),
            WebSocketRoute("/ws", self._socket),
        ]
        self._router = Starlette(routes=routes)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] == "websocket":
            await self._socket_door(scope, receive, send)
        elif scope["type"] == "http":
            answer = self._turned_away(scope)
            if answer is not None:
                await answer(scope, receive, with_headers(send))
            else:
                await self._router(scope, receive, with_headers(send))

    def _turned_away(self, scope: Scope) -> Response | None:
        """Return the answer to who may not come in, or is sent on; None for all others."""
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            return _no(405, "only reading is possible here; declarations go through /ws")
        if not self._door.is_own_host(headers.get("host")):
            return _no(421, "this host name is not the referee's; use the address it shows")
        peer = _peer(scope)
        if self._door.is_too_fast(peer):
            return _no(429, "too many requests; wait a second")
        query = QueryParams(scope["query_string"])
        level = self._level(scope, headers, query)
        scope["state"] = {"level": level}
        if level is None and scope["path"] not in OPEN_PATHS:
            return self._closed()
        if "key" in query and level is not None and scope["path"] in PAGES:
            return _with_cookie(scope["path"], query)
        return None

    def _closed(self) -> Response:
        page = self._assets.get("closed.html")
        data = page.data if page else b"scan the code on the referee's screen"
        return Response(data, 403, media_type="text/html")

    def _level(self, scope: Scope, headers: Headers, query: QueryParams) -> str | None:
        cookies = cookie_parser(headers.get("cookie", ""))
        key = key_of(query, cookies, headers.get("authorization"))
        return self._door.level(_peer(scope), key)

    async def _socket_door(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, query = Headers(scope=scope), QueryParams(scope["query_string"])
        host, peer = headers.get("host"), _peer(scope)
        level = self._level(scope, headers, query)
        own = self._door.is_own_host(host)
        own = own and self._door.is_own_origin(headers.get("origin"), host)
        full = len(self._hub.clients) >= MOST_CLIENTS or (
            self._hub.of_peer(peer) >= MOST_CLIENTS_OF_ONE and not is_here(peer)
        )
        if not own or level is None or full or self._door.is_too_fast(peer):
            # The handshake begins with this message; unanswered, the socket is refused with 403.
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        scope["state"] = {"level": level}
        await self._router(scope, receive, send)

    async def _socket(self, socket: WebSocket) -> None:
        await self._talk.hold(socket, _peer(socket.scope), socket.state.level)

    async def _file(self, request: Request) -> Response:
        path = request.url.path
        asset = self._assets.get(PAGES.get(path, path.lstrip("/")))
        if asset is None or path.endswith(".html"):
            return _no(404, "there is nothing here; the live page is at /")
        headers = {"ETag": asset.etag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == asset.etag:
            return Response(status_code=304, headers=headers)
        return Response(asset.data, media_type=asset.media_type, headers=headers)

    async def _state(self, request: Request) -> Response:
        board = self._hub.board
        return JSONResponse({"v": board.version, "board": board.fields}, headers=NO_STORE)

    async def _schema(self, request: Request) -> Response:
        return JSONResponse(full_schema(), media_type="application/schema+json")

    async def _picture(self, request: Request) -> Response:
        if not self._hub.picture:
            return _no(404, "there is no picture yet")
        return Response(self._hub.picture, media_type="image/jpeg", headers=NO_STORE)

    async def _stream(self, request: Request) -> Response:
        if self._streams >= MOST_STREAMS:
            return _no(503, "too many watch the picture; close another page")
        kind = "multipart/x-mixed-replace; boundary=picture"
        return StreamingResponse(self._pictures(), media_type=kind, headers=NO_STORE)

    async def _pictures(self) -> AsyncIterator[bytes]:
        self._streams += 1
        shown = 0
        try:
            yield b"--picture\r\n"
            while True:
                await self._next_picture(shown)
                jpeg, shown = self._hub.picture, self._hub.picture_n
                head = f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                yield head.encode() + jpeg + b"\r\n--picture\r\n"
                await asyncio.sleep(1 / PICTURES_PER_S)
        finally:
            self._streams -= 1

    async def _next_picture(self, shown: int) -> None:
        """Wait for a picture newer than `shown`, but not for long.

        Browsers show a picture when the next one begins: without a new one the last is sent again.
        """
        if self._hub.picture_n > shown:
            return
        came = self._hub.picture_came.wait()
        try:
            await asyncio.wait_for(came, PICTURE_AGAIN_S if shown else None)
        except TimeoutError:
            return

    async def _qr(self, request: Request) -> Response:
        """Give an operator the code that opens the page on a phone."""
        links = self._hub.office.fields.get("addresses", {})
        link = links.get(request.query_params.get("for", "player"))
        if request.state.level != "operator" or link is None:
            return _no(404, "there is no such code for this page")
        return Response(qr_svg(link), media_type="image/svg+xml", headers=NO_STORE)

    async def _dispute(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not DISPUTE.fullmatch(name):
            return _no(404, "a dispute is named by its event: /dispute/12")
        return await self._of_record(f"dispute {name}")

    async def _report(self, request: Request) -> Response:
        return await self._of_record("report")

    async def _of_record(self, what: str) -> Response:
        try:
            page = await self._teller.ask(what)
        except TimeoutError:
            return _no(504, "the referee is busy; ask again")
        if not page:
            return _no(404, "the record has nothing of it: is the match recorded?")
        headers = {"Content-Security-Policy": RECORD_POLICY, **NO_STORE}
        return Response(page, media_type="text/html", headers=headers)


NO_STORE = {"Cache-Control": "no-store"}


def with_headers(send: Send) -> Send:
    """Return a `send` that adds the headers of safety to every answer."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = message["headers"] = list(message.get("headers", ()))
            if not any(name.lower() == b"content-security-policy" for name, _ in headers):
                headers.append((b"content-security-policy", OUR_POLICY.encode()))
            headers += [
                (b"x-content-type-options", b"nosniff"),
                (b"referrer-policy", b"no-referrer"),
                (b"cross-origin-resource-policy", b"same-origin"),
            ]
        await send(message)

    return sending


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else "?"


def _no(status: int, why: str) -> Response:
    return PlainTextResponse(why + "\n", status)


def _with_cookie(path: str, query: QueryParams) -> Response:
    """Keep the key as a cookie and send the browser on to the address without it."""
    rest = urlencode([(name, value) for name, value in query.multi_items() if name != "key"])
    answer = Response(status_code=303, headers={"Location": path + (f"?{rest}" if rest else "")})
    answer.set_cookie(COOKIE, query["key"], httponly=True, samesite="strict", max_age=24 * 3600)
    return answer
