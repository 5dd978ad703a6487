"""The command `sql`: one statement or a script, for servers that are up or started for it alone."""

from __future__ import annotations

import argparse
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.base.escaping import printable, printable_bytes
from helpers.cli.environment import folder_of
from helpers.cluster import FIRST_NODE, daemon, environments
from helpers.cluster.client.session import Endpoint
from helpers.cluster.client.sql_script import ScriptStatement, read_script
from helpers.cluster.target import Target
from pipelines.clickhouse import http as clickhouse_http

UNKNOWN_FORMAT = 73


def sql(given: argparse.Namespace) -> int:
    text = sys.stdin.read() if given.query == "-" else given.query
    script = read_script(text, given.node)
    names = list(dict.fromkeys(statement.node for statement in script)) or [given.node]
    with _endpoints(given, names) as endpoints:
        if len(script) <= 1:
            return _execute(ScriptStatement(text, names[0]), given.format, endpoints, {})
        # One session for each that the script speaks as, so that SET, USE and temporary tables last.
        sessions: dict[tuple[str, str, str], str] = {}
        for statement in script:
            session = sessions.setdefault(
                (statement.node, statement.user, statement.session), str(uuid.uuid4())
            )
            code = _execute(statement, given.format, endpoints, {"session_id": session})
            if code != ALL_AS_EXPECTED:
                return code
    return ALL_AS_EXPECTED


@contextmanager
def _endpoints(given: argparse.Namespace, names: Sequence[str]) -> Iterator[dict[str, Endpoint]]:
    """Where these nodes listen: nodes that are up, or else nodes for the time of the block."""
    running = daemon.find(folder_of(given))
    if running is not None:
        endpoints = {node.name: node.endpoint for node in running.nodes}
        for name in names:
            if name not in endpoints:
                raise UsageError(f"No node {name!r} is up: there is {', '.join(endpoints)}.")
        yield endpoints
        return
    if given.node != FIRST_NODE:
        raise UsageError(f"Nothing is up, so there is no {given.node!r} to ask.")
    wanted = Target.of(given)
    environments.check(wanted, print)
    with (
        tempfile.TemporaryDirectory(prefix="regression-sql-") as folder,
        environments.open_cluster(wanted, Path(folder)) as cluster,
    ):
        yield {name: cluster.node(name).endpoint for name in names}


def _execute(
    statement: ScriptStatement,
    format_name: str,
    endpoints: Mapping[str, Endpoint],
    parameters: Mapping[str, str],
) -> int:
    """Print the answer; a refusal is a failure unless it is the expected one."""
    try:
        answer = endpoints[statement.node].post(
            statement.sql, {"default_format": format_name, **parameters}, statement.user
        )
    except clickhouse_http.Refused as refused:
        if refused.code == UNKNOWN_FORMAT and f"Unknown format {format_name}" in refused.message:
            raise UsageError(f"--format {format_name!r} is none that this server knows.") from None
        if refused.code == statement.expected_code:
            print(f"Code {refused.code}, as expected: {statement.shown}")
            return ALL_AS_EXPECTED
        print(f"Code {refused.code}: {printable(refused.message.strip())}", file=sys.stderr)
        return FAILURES
    # A program gets the bytes as they are; control characters must not reach a terminal.
    sys.stdout.buffer.write(printable_bytes(answer) if sys.stdout.isatty() else answer)
    sys.stdout.flush()
    if statement.expected_code is not None:
        print(
            f"Not refused, though code {statement.expected_code} is expected: {statement.shown}",
            file=sys.stderr,
        )
        return FAILURES
    return ALL_AS_EXPECTED
