"""The commands `up` and `down`: servers without scenarios."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from helpers.base import signals as interrupts
from helpers.base.arguments import whole_number
from helpers.base.errors import ALL_AS_EXPECTED, UsageError
from helpers.base.paths import RESULTS, launcher
from helpers.cluster import daemon, environments
from helpers.cluster.daemon import Running, RunningStore, Wanted
from helpers.cluster.target import Target
from helpers.runner.folder import ended_runs
from pipelines.system.locks import try_lock

MOST_NODES = 20


def folder_of(given: argparse.Namespace) -> Path:
    """Where the daemon of these results keeps what it holds."""
    return Path(given.results).resolve() / "up"


def up(given: argparse.Namespace) -> int:
    wanted = Wanted(
        folder=str(folder_of(given)),
        target=Target.of(given),
        nodes=whole_number("--nodes", given.nodes, 1, MOST_NODES, "number"),
        port=whole_number("--port", given.port, 1024, 65534, "port") if given.port else None,
        s3=given.s3,
    )
    with _lock(given) as lock:
        if lock is None:
            raise UsageError(f"An environment is up already; {_command('down', given)} ends it.")
        environments.check(wanted.target, print)
        with daemon.started(wanted, lock) as running:
            print(_how_to_connect(running, given), flush=True)
            interrupts.done()  # it stays: whoever was told that it is up must find it
    return ALL_AS_EXPECTED


def down(given: argparse.Namespace) -> int:
    remote = Target(env="remote", clickhouse_url=given.clickhouse_url, s3_url=given.s3_url)
    if remote.options and not (given.all and given.clickhouse_url):
        raise UsageError(
            "--clickhouse-url and --s3-url belong to down --all, and the latter to both."
        )
    code = _down(given)
    if remote.options:
        _sweep_servers(remote, given)
    elif given.all:
        _sweep()
    return code


def _sweep_servers(remote: Target, given: argparse.Namespace) -> None:
    """Remove what runs left on servers of somebody else; print what may belong to a run that is going on."""
    from helpers.cluster.remote import leftovers as remote_leftovers

    removed, kept = remote_leftovers.sweep(remote, ended_runs(Path(given.results)))
    print("\n".join(f"{name}: removed" for name in removed) or "No run has left anything there.")
    if kept:
        print(
            f"{', '.join(kept)}: left, since the run may be going on elsewhere. If it was one of another "
            "results folder, name that with --results; a day after its beginning it is removed anyway."
        )


def _sweep() -> None:
    """Remove what runs that have ended left in Docker."""
    # Here and not above: the library of the container engine takes a quarter of a second to import.
    from helpers.cluster.docker import cleanup as docker_cleanup
    from helpers.cluster.docker.engine import connect

    gone = docker_cleanup.sweep(connect())
    print("\n".join(f"{name}: removed" for name in gone) or "No run has left anything in Docker.")


def _down(given: argparse.Namespace) -> int:
    folder = folder_of(given)
    running = daemon.find(folder)
    if running is not None:
        daemon.stop(running, folder)
        print("Down; nothing is left.")
        return ALL_AS_EXPECTED
    with _lock(given) as lock:
        if lock is None:
            raise UsageError("An environment is just starting; try again when it is up.")
        shutil.rmtree(folder, ignore_errors=True)
    print("Nothing is up.")
    return ALL_AS_EXPECTED


@contextlib.contextmanager
def _lock(given: argparse.Namespace) -> Iterator[int | None]:
    """The lock that a daemon holds as long as it runs, or None where one runs already."""
    with contextlib.ExitStack() as stack:
        try:
            folder = folder_of(given).parent
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, lock)
            locked = try_lock(lock)
        except OSError as error:
            raise UsageError(
                f"--results {given.results} cannot be used: {error.strerror}."
            ) from None
        yield lock if locked else None


def _how_to_connect(running: Running, given: argparse.Namespace) -> str:
    lines = []
    for node in running.nodes:
        lines += [f"{node.name}: ClickHouse {node.version}", *node.endpoint.commands()]
    lines += _about_store(running.s3) if running.s3 else []
    return "\n".join(
        [
            *lines,
            f'Ask:  {_command("sql", given)} "SELECT version()"',
            f"End:  {_command('down', given)}",
        ]
    )


def _command(name: str, given: argparse.Namespace) -> str:
    """The command line of another command about the same environment."""
    same = [] if given.results == str(RESULTS) else ["--results", given.results]
    return shlex.join([launcher(), name, *same])


def _about_store(store: RunningStore) -> list[str]:
    example = f"{store.url}/{store.bucket}/example.parquet"
    function = f"s3('{example}', '{store.access_key}', '{store.secret_key}')"
    return [
        f"S3: {store.url}",
        f"  access key {store.access_key}, secret {store.secret_key}",
        f"  INSERT INTO FUNCTION {function} SELECT number FROM numbers(3);",
        f"  SELECT * FROM {function};",
    ]
