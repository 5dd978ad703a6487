"""ClickHouse Keeper, where the binary under test has one."""

from __future__ import annotations

import functools
import string
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

from helpers.base.paths import CONFIGS
from helpers.base.time_limits import scaled
from helpers.cluster.services.coordination import LocalCoordination

ASKING_SECONDS = 20.0


@functools.cache
def find_keeper(binary: Path) -> tuple[str | Path, ...] | None:
    """How the Keeper that comes with this server is started, or None if it has none.

    It is a command of the multi-call binary, or a program beside a server. The binary is asked once.
    """
    program = binary.resolve()
    beside = program.with_name("clickhouse-keeper")
    candidates: list[tuple[str | Path, ...]] = [(beside,)] if beside.is_file() else []
    if not program.name.startswith("clickhouse-server"):
        candidates.append((program, "keeper"))
    for command in candidates:
        try:
            answer = subprocess.run(
                [*command, "--help"],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=scaled(ASKING_SECONDS),
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if answer.returncode == 0 and b"keeper" in answer.stdout.lower():
            return command
    return None


class Keeper(LocalCoordination):
    """One Keeper, alone in its quorum."""

    name = "ClickHouse Keeper"
    port_count = 2

    def __init__(self, folder: Path, program: tuple[str | Path, ...]) -> None:
        super().__init__(folder)
        self.program = program

    def configure(self) -> None:
        client, quorum = self.ports
        template = string.Template((CONFIGS / "keeper.xml").read_text())
        values = {"folder": escape(str(self.folder)), "port": client, "quorum_port": quorum}
        (self.folder / "keeper.xml").write_text(template.substitute(values))

    def command(self) -> list[str | Path]:
        return [*self.program, f"--config-file={self.folder / 'keeper.xml'}"]
