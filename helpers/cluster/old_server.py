"""ClickHouse of 2018, as Debian packages it (18.16): writes parts that today's servers have to take over.

It is no node of a cluster: it lives for some inserts, and what it leaves is its folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import clickhouse_driver
from clickhouse_driver import errors as driver_errors

from helpers.cluster import process
from helpers.cluster.ports import LOOPBACK, reserve_free
from helpers.errors import EnvironmentFailed
from helpers.timeouts import scaled

PROGRAM = "clickhouse-server"
USER = "writer"
READY_SECONDS = 20.0
CONFIG = """<yandex>
    <logger><level>warning</level><log>{folder}/server.log</log></logger>
    <listen_host>{host}</listen_host>
    <tcp_port>{port}</tcp_port>
    <path>{folder}/data/</path>
    <tmp_path>{folder}/tmp/</tmp_path>
    <users_config>{folder}/users.xml</users_config>
    <mark_cache_size>10000000</mark_cache_size>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
</yandex>
"""
USERS = """<yandex>
    <profiles><default/></profiles>
    <quotas><default/></quotas>
    <users><{user}>
        <password>{password}</password>
        <networks><ip>{host}</ip></networks>
        <profile>default</profile>
        <quota>default</quota>
    </{user}></users>
</yandex>
"""


def find_program() -> str | None:
    """The installed server; Debian puts it where only administrators look for programs."""
    return shutil.which(PROGRAM, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")


class OldServer:
    """Runs while the block does; its data stays below the folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (self._port,) = reserve_free(1)
        self._password = secrets.token_hex(12)
        self._child: process.Child | None = None

    def __enter__(self) -> Self:
        values = {"folder": self.folder, "host": LOOPBACK, "port": self._port.number}
        for name in ("data", "tmp"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "config.xml").write_text(CONFIG.format(**values))
        users = USERS.format(user=USER, password=self._password, host=LOOPBACK)
        (self.folder / "users.xml").write_text(users)
        program = find_program()
        if program is None:
            raise EnvironmentFailed(f"The program {PROGRAM} is not installed here.")
        self._child = process.start(
            [program, f"--config-file={self.folder / 'config.xml'}"],
            cwd=self.folder,
            output=self.folder / "output.log",
        )
        self._client = clickhouse_driver.Client(
            LOOPBACK, port=self._port.number, user=USER, password=self._password
        )
        self._wait_until_ready(self._child)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.disconnect()
        if self._child is not None:
            self._child.kill()
        self._port.release()

    def query(self, sql: str, data: list[Any] | None = None) -> Any:
        """Rows of an INSERT go as data: this server waits for them after an inline VALUES."""
        return self._client.execute(sql, data)

    def _wait_until_ready(self, child: process.Child) -> None:
        deadline = time.monotonic() + scaled(READY_SECONDS)
        while True:
            try:
                self.query("SELECT 1")
                return
            except (driver_errors.Error, OSError, EOFError):
                if not child.alive or time.monotonic() > deadline:
                    child.kill()
                    raise EnvironmentFailed(
                        f"{PROGRAM} did not come up ({child.ending}). Its last words:\n"
                        f"{child.last_output(5)}"
                    ) from None
            time.sleep(0.02)
