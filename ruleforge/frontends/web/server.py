"""The HTTP server of the tables; it accepts only requests from this machine, within limits."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from ruleforge.engine.errors import PlayError, RulesetError
from ruleforge.frontends.web.html_documents import host_page, missing_page, table_page
from ruleforge.frontends.web.table import Reply
from ruleforge.frontends.web.table_registry import NoTable, SeatKey, TableRegistry, TableRequest
from ruleforge.support.input_files import read_bytes

HERE = "127.0.0.1"
LONGEST = 1 << 16  # most bytes of a request
PATIENCE = 25.0  # seconds that a browser waits for news before it asks again
SLOWEST = 30.0  # seconds in which some of a request must come in
MOST_CONNECTIONS = 500  # at a time; a browser has six at most
LARGEST = 1 << 20  # bytes of a file of ours
STATIC = Path(__file__).parent / "static"
SORTS = {"table.css": "text/css", "table.js": "text/javascript", "sign.svg": "image/svg+xml"}
GUARDS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class RequestRefused(Exception):
    """A request that is not answered: its status, and why."""

    def __init__(self, status: int, why: str) -> None:
        self.status, self.why = status, why


class Server(ThreadingHTTPServer):
    """Listens on this machine only; each request has its own thread."""

    daemon_threads = True
    request_queue_size = 128  # who come all at once

    def __init__(self, registry: TableRegistry, port: int) -> None:
        self.registry = registry
        self._free = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((HERE, port), Handler)

    @property
    def address(self) -> str:
        return f"http://{HERE}:{self.server_port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Refuse a request beyond the limit at once: threads and open files are kept for those already served."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = SLOWEST
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "RuleForge", ""

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the requests of a seat are private."""

    def _answer(self, answer: Callable[[], None]) -> None:
        try:
            self._check_origin()
            answer()
        except RequestRefused as refused:
            self.close_connection = True  # what was not read of it is not taken for another request
            self._send(refused.status, "text/html", missing_page(refused.why))

    def _check_origin(self) -> None:
        """Only pages of this server may speak to it: neither other sites nor names that lead here."""
        port = self.server.server_port
        names = {f"{HERE}:{port}", f"localhost:{port}"}
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in names:
            raise RequestRefused(403, "this server answers only to its own address")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{name}" for name in names}:
            raise RequestRefused(403, "another page cannot act for you")

    # --- looking ---

    def _get(self) -> None:
        path, _, query = self.path.partition("?")
        match _words(path):
            case [name] if name in SORTS:
                self._send(200, SORTS[name], read_bytes(STATIC / name, LARGEST))
            case ["host", key] if key == self.server.registry.host:
                self._send(200, "text/html", host_page(self.server.registry))
            case ["table", key]:
                place = self._place(key)
                page = place.room.page(place.seat)
                assert page is not None
                self._send(200, "text/html", table_page(place, page))
            case ["table", key, "page"]:
                self._news(self._place(key), parse_qs(query))
            case _:
                raise RequestRefused(
                    404, "there is no page here; the host of the game has the address of your seat"
                )

    def _news(self, place: SeatKey, query: Mapping[str, list[str]]) -> None:
        """The page that is not the one that was seen; who asks for it `now` does not wait for one."""
        patience = 0.0 if "now" in query else PATIENCE
        page = place.room.page(place.seat, query.get("seen", [""])[0], patience)
        if page is None:
            self._send(204, "text/plain", "")
        else:
            self._json({"mark": page.mark, "parts": dict(page.parts)})

    def _place(self, key: str) -> SeatKey:
        place = self.server.registry.place(key)
        if place is None:
            raise RequestRefused(404, "there is no such seat, or its game was closed")
        return place

    # --- doing ---

    def _post(self) -> None:
        given = self._given()
        match _words(self.path):
            case ["host", key, "lay"] if key == self.server.registry.host:
                self._lay(given)
            case ["table", key, action]:
                answer = _done(self._place(key), action, given)
                if answer is None:
                    raise RequestRefused(404, "this cannot be done here")
                self._json({"lines": answer.lines, "fits": answer.fits})
            case _:
                raise RequestRefused(404, "there is no page here")

    def _lay(self, given: Mapping[str, Any]) -> None:
        try:
            places = self.server.registry.lay(_order(given))
        except RulesetError as error:
            self._json({"lines": [str(diagnostic) for diagnostic in error.diagnostics]})
        except (NoTable, PlayError) as error:
            self._json({"lines": [str(error)]})
        else:
            self._json({"go": f"/table/{places[0].key}"})

    def _given(self) -> Mapping[str, Any]:
        """The object that was sent; a form of another site cannot send one."""
        if self.headers.get_content_type() != "application/json":
            raise RequestRefused(415, "send JSON")
        lengths = self.headers.get_all("Content-Length", [])
        if len(lengths) != 1 or "Transfer-Encoding" in self.headers:
            raise RequestRefused(411, "send one Content-Length")
        length = lengths[0] if lengths[0].isascii() and lengths[0].isdigit() and len(lengths[0]) < 9 else ""
        if not length or int(length) > LONGEST:
            raise RequestRefused(413, "the request is too large")
        sent = self.rfile.read(int(length))
        try:
            given = json.loads(sent) if len(sent) == int(length) else None
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise RequestRefused(400, "send a JSON object")
        return given

    # --- answers ---

    def _json(self, answer: Mapping[str, object]) -> None:
        self._send(200, "application/json", json.dumps(answer))

    def _send(self, status: int, sort: str, content: str | bytes) -> None:
        body = content.encode() if isinstance(content, str) else content
        self.send_response(status)
        for name, value in GUARDS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{sort}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _words(path: str) -> list[str]:
    return path.strip("/").split("/")


def _done(place: SeatKey, action: str, given: Mapping[str, Any]) -> Reply | None:
    room, seat, mark = place.room, place.seat, str(given.get("mark", ""))
    match action:
        case "choose":
            return room.choose(seat, str(given.get("text", "")), mark)
        case "say":
            return room.say(seat, str(given.get("line", "")), mark)
        case "greyed":
            return room.greyed(seat)
        case "undo":
            return room.undo(seat, mark)
        case "agree":
            return room.agree(seat, given.get("yes") is True, mark)
    return None


def _order(given: Mapping[str, Any]) -> TableRequest:
    """A request from the host's page; missing or invalid values get their defaults."""
    packs, players = given.get("packs"), given.get("players")
    return TableRequest(
        str(given.get("game", "")),
        tuple(map(str, packs)) if isinstance(packs, list) else (),
        players if isinstance(players, int) and not isinstance(players, bool) else None,
        str(given.get("people", "first")),
        str(given.get("others", "random")),
    )
