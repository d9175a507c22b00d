"""The server of tables: keys, unknown users, too much at once, and what it never tells."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from ruleforge.frontends.web.server import GUARDS, LONGEST
from ruleforge.frontends.web.table_registry import OfferedGame
from tests.shelf import game as shelved
from tests.unit.frontends.web.tables import Client, room_of, served


@pytest.fixture
def table():
    room = room_of(shelved("tic-tac-toe", (), "python"))
    with served(room) as (server, [places]):
        clients = {place.seat: Client(server.server_port, place.key) for place in places}
        yield server, clients


def test_each_seat_has_a_page_behind_a_key_of_its_own(table):
    _, clients = table
    pages = {seat: client.page() for seat, client in clients.items()}
    assert "data-number" in pages["cross"]["parts"]["asked"]
    assert "data-number" not in pages["nought"]["parts"]["asked"] + pages[None]["parts"]["asked"]
    assert len({client.key for client in clients.values()}) == 3
    status, text, headers = clients["cross"].ask("GET", f"/table/{clients['cross'].key}")
    assert status == 200 and pages["cross"]["parts"]["table"] in text
    assert {name: headers[name] for name in GUARDS} == GUARDS


def test_a_choice_reaches_whoever_waits(table):
    _, clients = table
    before = clients["nought"].page()
    found: list[dict[str, object]] = []
    waiting = threading.Thread(target=lambda: found.append(clients["nought"].page(before["mark"])))
    waiting.start()
    assert clients["cross"].do("choose", text="mark b2", mark=clients["cross"].page()["mark"]) == {
        "lines": [],
        "fits": [],
    }
    waiting.join(10)
    assert found and "data-number" in str(found[0])


@pytest.mark.parametrize("deed", ["choose", "say", "undo", "agree", "greyed"])
def test_every_request_takes_whatever_is_sent(table, deed):
    _, clients = table
    for given in (
        {},
        {"text": 3, "mark": None, "line": ["x"], "yes": "no"},
        {"line": "why not " + "x" * 5000},
    ):
        assert set(clients["cross"].do(deed, **given)) == {"lines", "fits"}
    assert "Cross marks" not in clients[None].page()["parts"]["log"]


def test_a_tab_that_nobody_sees_does_not_wait(table):
    _, clients = table
    seen = clients[None].page()["mark"]
    status, _, _ = clients[None].ask("GET", f"/table/{clients[None].key}/page?seen={seen}&now=1")
    assert status == 204


def test_without_a_key_there_is_nothing(table):
    server, clients = table
    stranger = Client(server.server_port, "guess")
    host = server.registry.host
    for path in (
        "/",
        "/table/guess",
        "/table/guess/page",
        "/host/guess",
        f"/table/{host}",
        "/../pyproject.toml",
    ):
        assert stranger.ask("GET", path)[0] == 404
    for path in ("/table/guess/choose", "/host/guess/lay", f"/table/{clients['cross'].key}/nonsense"):
        assert stranger.ask("POST", path, {})[0] == 404
    assert stranger.ask("PUT", "/")[0] == 501


def test_other_sites_and_other_names_are_refused(table):
    server, clients = table
    key = clients["cross"].key
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert clients["cross"].ask("GET", f"/table/{key}", None, **headers)[0] == 403
        assert clients["cross"].ask("POST", f"/table/{key}/undo", {}, **headers)[0] == 403
    own = f"http://127.0.0.1:{server.server_port}"
    assert clients["cross"].ask("POST", f"/table/{key}/undo", {}, Origin=own)[0] == 200


@pytest.mark.parametrize(
    ("sent", "headers", "status"),
    [
        (b"text=mark+b2", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"[1]", {}, 400),
        (b"{", {}, 400),
        (b"[" * 9000, {}, 400),
        (b"{}", {"Content_Length": "99999999999999999999"}, 413),
        (b"{}", {"Content_Length": "-1"}, 413),
        (b" " * (LONGEST + 1), {}, 413),
    ],
)
def test_what_is_no_answer_is_refused(table, sent, headers, status):
    _, clients = table
    assert clients["cross"].ask("POST", f"/table/{clients['cross'].key}/say", sent, **headers)[0] == status


HALF = b'{"line": "b2"}'


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET http://[ HTTP/1.1\r\n%s\r\n", b"404"),
        (
            b"POST http://[ HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
            b"404",
        ),
        (b"GET / HTTP/1.1\r\n%sHost: elsewhere\r\n\r\n", b"403"),
        (
            b"POST /say HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 99\r\n\r\n" + HALF,
            b"400",
        ),
        (
            b"POST /say HTTP/1.1\r\n%sContent-Type: application/json\r\n"
            b"Content-Length: 14\r\nTransfer-Encoding: chunked\r\n\r\n" + HALF,
            b"411",
        ),
        (
            b"POST /say HTTP/1.1\r\n%sContent-Type: application/json\r\n"
            b"Content-Length: 14\r\nContent-Length: 2\r\n\r\n" + HALF,
            b"411",
        ),
    ],
)
def test_requests_that_are_crooked_are_refused_and_do_nothing(table, capsys, request_, status):
    server, clients = table
    own = b"Host: 127.0.0.1:%d\r\n" % server.server_port
    path = f"/table/{clients['cross'].key}/say".encode()
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as connection:
        connection.sendall((request_ % own).replace(b"/say", path))
        connection.shutdown(socket.SHUT_WR)
        reply = b"".join(iter(lambda: connection.recv(4096), b""))
    assert reply.split()[1] == status
    assert "Cross marks" not in clients[None].page()["parts"]["log"]
    assert "Traceback" not in capsys.readouterr().err


def test_whoever_is_too_much_is_sent_away_and_the_others_play_on(table):
    server, clients = table
    server._free = threading.BoundedSemaphore(3)
    waiting = [socket.create_connection(("127.0.0.1", server.server_port), timeout=10) for _ in range(6)]
    sent_away = [one for one in waiting if select.select([one], [], [], 0.5)[0]]
    assert len(sent_away) == 3 and not any(one.recv(1) for one in sent_away)
    for one in waiting:
        one.close()
    deadline = time.monotonic() + 10
    while server._free._value < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert clients["cross"].page()["mark"]


def test_a_table_too_many_is_not_even_laid(monkeypatch):
    monkeypatch.setattr("ruleforge.frontends.web.table_registry.MOST_TABLES", 1)
    offered = {"nim": OfferedGame("nim", "Nim", "Take matches.", (2, 2), ())}
    with served(room_of(shelved("nim", (), "python")), offered=offered) as (server, _):
        monkeypatch.setattr(server.registry, "_opener", lambda order: pytest.fail("it was laid"))
        stranger = Client(server.server_port, "")
        reply = stranger.ask("POST", f"/host/{server.registry.host}/lay", {"game": "nim"})[1]
        assert json.loads(reply)["lines"] == ["there are 1 tables already"]


def test_files_of_the_page_are_there_and_nothing_else(table):
    _, clients = table
    for name, sort in (
        ("table.js", "text/javascript"),
        ("table.css", "text/css"),
        ("sign.svg", "image/svg+xml"),
    ):
        status, text, headers = clients[None].ask("GET", f"/{name}")
        assert status == 200 and text and headers.get_content_type() == sort
    assert clients[None].ask("GET", "/server.py")[0] == 404


def test_the_host_lays_tables_of_the_games_that_are_offered():
    offered = {"nim": OfferedGame("nim", "Nim", "Take matches.", (2, 2), ())}
    with served(offered=offered) as (server, _):
        host = Client(server.server_port, "")
        page = f"/host/{server.registry.host}"
        assert "Nim" in host.ask("GET", page)[1]
        for order in ({"game": "chess"}, {"game": "nim", "packs": ["none"]}, {"game": 3}):
            assert json.loads(host.ask("POST", f"{page}/lay", order)[1])["lines"]
        go = json.loads(host.ask("POST", f"{page}/lay", {"game": "nim"})[1])["go"]
        assert host.ask("GET", go)[0] == 200 and go in host.ask("GET", page)[1]


PROGRAM = "from ruleforge.frontends.cli.main import main; main()"


def started(cache: str, *words: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """The real program, and the addresses it tells by the name of the seat."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", *words, "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "RULEFORGE_CACHE": cache, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    return process, {seat["name"]: seat["address"] for seat in told["seats"]}


def client_at(address: str) -> Client:
    port, key = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/table/(\S+)", address).groups()  # type: ignore[union-attr]
    return Client(int(port), key)


def test_what_was_chosen_is_there_after_a_crash(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    process, found = started(str(cache), "tic-tac-toe", "--seat", "2=human", "--seed", "1")
    try:
        assert client_at(found["Cross"]).do("say", line="b2") == {"lines": [], "fits": []}
    finally:
        process.kill()
        process.wait()
    process, found = started(str(cache), "tic-tac-toe", "--resume")
    try:
        page = client_at(found["Nought"]).page()
        assert "Cross marks b2" in page["parts"]["log"] and "data-number" in page["parts"]["asked"]
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
