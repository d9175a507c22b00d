"""A real browser without a screen, steered through a pair of pipes; whoever has none on the machine goes without."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--remote-debugging-pipe",
)
PATIENCE = 30.0
MIDDLE = """(selector) => {
  const element = document.querySelector(selector);
  element.scrollIntoView({block: "center"});
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def found() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """Chromium with a profile of its own; it reads commands at one pipe and answers at another."""

    def __init__(self, home: Path) -> None:
        command, self._write = os.pipe()
        self._read, answer = os.pipe()

        def at_three_and_four() -> None:
            high = os.dup(command), os.dup(answer)  # neither may lie where the other goes
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        program = found()
        assert program is not None
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={home}"],
            close_fds=False,
            preexec_fn=at_three_and_four,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command)
        os.close(answer)
        self._number, self._rest = 0, b""

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def ask(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._number:
                assert "error" not in reply, reply
                found = reply["result"]
                assert isinstance(found, dict)
                return found

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 16)
            assert part, "the browser is gone"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        found = json.loads(message)
        assert isinstance(found, dict)
        return found

    def tab(self, address: str) -> Tab:
        target = self.ask("Target.createTarget", url=address)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, session)


class Tab:
    """One page in it."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.until("document.readyState === 'complete' && document.querySelector('#table') !== null")

    def says(self, script: str) -> Any:
        """What an expression comes to on the page."""
        found = self._browser.ask(
            "Runtime.evaluate", self._session, expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, script: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.says(script):
            assert time.monotonic() < deadline, script
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """As a mouse does: down, up, on whatever lies on top in the middle of it."""
        box = self.says(f"({MIDDLE})({json.dumps(selector)})")
        for sort in ("mousePressed", "mouseReleased"):
            self._browser.ask(
                *("Input.dispatchMouseEvent", self._session),
                type=sort,
                x=box[0],
                y=box[1],
                button="left",
                clickCount=1,
            )

    def type(self, text: str) -> None:
        self._browser.ask("Input.insertText", self._session, text=text)

    def press(self, key: str) -> None:
        for sort in ("keyDown", "keyUp"):
            self._browser.ask(
                *("Input.dispatchKeyEvent", self._session),
                type=sort,
                key=key,
                code=key,
                windowsVirtualKeyCode={"Enter": 13, "Escape": 27}[key],
                **({"text": "\r"} if key == "Enter" and sort == "keyDown" else {}),
            )
