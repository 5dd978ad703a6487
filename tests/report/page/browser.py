"""A page in headless Chromium, driven through its debugging pipe with nothing but the library."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from pipelines.system.waiting import poll

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
MISSING = "no chromium on PATH; Debian: apt-get install chromium"
# On CI a test that cannot run has to fail: nobody reads a list of skipped ones there.
needs_browser = pytest.mark.skipif(not CHROMIUM and not os.environ.get("CI"), reason=MISSING)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--mute-audio",
    "--disable-background-networking",
    "--disable-component-update",
    # It would ignore more than 200 changes of address in ten seconds.
    "--disable-ipc-flooding-protection",
    "--remote-debugging-pipe",
]
KEYS = {
    "Enter": ("Enter", "\r"),
    "Escape": ("Escape", ""),
    "ArrowDown": ("ArrowDown", ""),
    "Tab": ("Tab", ""),
}
TIMEOUT = 60.0


class Browser:
    """One tab. Every call waits for the browser's answer and raises what went wrong."""

    def __init__(self, profile: Path, width: int = 1280, height: int = 900) -> None:
        commands, self._send = _high_pipe()
        self._receive, answers = _high_pipe()

        def connect() -> None:
            # Chromium reads commands from descriptor 3 and answers on 4.
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        assert CHROMIUM, MISSING
        self._process = subprocess.Popen(
            [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(3, 4),
            preexec_fn=connect,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._buffer, self._id, self._session = b"", 0, ""
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = next(
            target
            for target in self.call("Target.getTargets")["targetInfos"]
            if target["type"] == "page"
        )
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        # As in a window that has the focus: without it nothing matches :focus.
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(width, height)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Sends one command and returns its result; events that come meanwhile are noted."""
        self._id += 1
        message: dict[str, Any] = {"id": self._id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + TIMEOUT
        while True:
            while b"\0" not in self._buffer:
                ready, _, _ = select.select([self._receive], [], [], until - time.monotonic())
                assert ready, f"the browser did not answer {method}"
                self._buffer += os.read(self._receive, 1 << 20)
            raw, self._buffer = self._buffer.split(b"\0", 1)
            answer = json.loads(raw)
            if answer.get("id") == self._id:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"])
        if event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(event["params"]["exceptionDetails"]))

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def colours(self, scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def open(self, url: str, drawn: str = "#count, .note") -> None:
        """Loads the address anew and waits until the page has drawn what this selector names."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.wait(f"document.querySelector('{drawn}')")

    def follow(self, fragment: str) -> None:
        """Changes the part of the address that the page reads, as a click on a link does."""
        self.run(f"location.hash = {fragment!r}")
        self.wait(f"location.hash === {fragment!r}")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        assert poll(lambda: self.run(f"!!({condition})"), TIMEOUT), (
            f"never became true: {condition}"
        )

    def press(self, key: str) -> None:
        """A key as a person presses it: the page cannot tell the difference."""
        code, text = KEYS.get(key, (f"Key{key.upper()}" if key.isalpha() else "Slash", key))
        key_code = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "Tab": 9}.get(
            key, ord(key.upper()[0])
        )
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                windowsVirtualKeyCode=key_code,
                **({"text": text} if kind == "keyDown" else {}),
            )

    def type(self, text: str) -> None:
        for letter in text:
            self.call("Input.insertText", text=letter)

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._send)
        os.close(self._receive)


def _high_pipe() -> tuple[int, int]:
    """A pipe whose descriptors cannot be 3 or 4, which the child needs for itself."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]
