"""The command `export`: parts of a MergeTree table to Hive-partitioned Parquet on S3, by Spark."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tenacity import (
    Retrying,
    retry_if_exception_type,
    retry_if_result,
    stop_after_delay,
    wait_exponential,
)

from helpers.base.errors import (
    ALL_AS_EXPECTED,
    ENVIRONMENT,
    FAILURES,
    EnvironmentFailed,
    UsageError,
)
from helpers.base.escaping import printable
from helpers.cli.export_connections import check_destination, server_of, servers_of, store_of
from helpers.cli.export_output import progress, say, show_outcomes, show_plan
from helpers.cli.export_verify import verify_exports
from pipelines.errors import PipelineError, Unavailable

if TYPE_CHECKING:
    from pipelines.export.iceberg.registration import Registration
    from pipelines.export.plan import Plan

SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMG]?)")
LONGEST_PAUSE = 30.0
UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def export(given: argparse.Namespace) -> int:
    actions = {"run": _keep_trying, "verify": verify_exports, "history": _history}
    for name, value in vars(given).items():
        if isinstance(value, str) and name != "results" and not _is_text(value):
            raise UsageError(f"--{name.replace('_', '-')} is no text in UTF-8: {value!a}.")
    try:
        return actions[given.action](given)
    except Unavailable as error:
        raise EnvironmentFailed(str(error)) from None
    except PipelineError as error:
        raise UsageError(str(error)) from None


def _keep_trying(given: argparse.Namespace) -> int:
    """Repeat the command while a server or the store does not answer; what is exported is skipped."""
    from pipelines.export.options import ERROR
    from pipelines.export.plan import seconds_of

    if not given.keep_trying:
        return _run(given)
    if given.if_exists == ERROR:
        raise UsageError(
            "--keep-trying finds what it exported itself: --if-exists error goes without."
        )
    printed = [""]

    def attempt() -> int:
        """Of several attempts the last one's JSON says how each part ended."""
        with contextlib.redirect_stdout(io.StringIO() if given.json else sys.stdout) as output:
            code = _run(given)
        if isinstance(output, io.StringIO):
            printed[0] = output.getvalue()
        return code

    again = Retrying(
        retry=retry_if_exception_type(Unavailable) | retry_if_result(ENVIRONMENT.__eq__),
        stop=stop_after_delay(seconds_of(given.keep_trying)),
        wait=wait_exponential(max=LONGEST_PAUSE),
        before_sleep=lambda state: say(given, f"Trying again in {state.upcoming_sleep:.0f} s."),
        retry_error_callback=lambda state: state.outcome.result() if state.outcome else ENVIRONMENT,
    )
    try:
        return int(again(attempt))
    finally:
        print(printed[0], end="")


def _run(given: argparse.Namespace) -> int:
    from pipelines.export.exporter import Exporter
    from pipelines.export.monitoring.log import ExportLog
    from pipelines.export.monitoring.progress import Monitor
    from pipelines.export.names import DEFAULT_PATTERN
    from pipelines.export.options import OVERWRITE, ROWS_PER_TASK, Options
    from pipelines.export.plan import Request
    from pipelines.export.servers import plan_servers
    from pipelines.spark.session import session_in_background, spark_session

    if given.rows or given.prune_after_verify:
        raise UsageError("--rows and --prune-after-verify belong to export verify.")
    if not given.source or not given.to:
        raise UsageError(
            "An export needs --source db.table and --to db.table or s3://bucket/prefix."
        )
    check_destination(given.to)
    if not (given.part or given.partition or given.all):
        raise UsageError("Say what to export: --part NAME, --partition ID or --all.")
    overwrites = given.overwrite or given.overwrite_unproved
    options = Options(
        if_exists=OVERWRITE if overwrites else given.if_exists,
        bandwidth=_size("--bandwidth", given.bandwidth),
        rows_per_task=_number("--rows-per-task", given.rows_per_task) or ROWS_PER_TASK,
        adopt=given.adopt,
        since_last=given.since_last,
        unproved=given.overwrite_unproved,
        rows_per_file=_number("--max-rows-per-file", given.max_rows_per_file) or 0,
        bytes_per_file=int(_size("--max-bytes-per-file", given.max_bytes_per_file or "0")),
    )
    servers, store = servers_of(given), store_of(given)
    server = servers[0]
    log = ExportLog(server, given.log) if given.log else None
    exporter = Exporter(
        server, store, options, log=log, session=lambda: spark_session(given.spark_master)
    )
    request = Request(
        source=given.source,
        destination=given.to,
        part=given.part or "",
        partition=given.partition or "",
        older_than=given.older_than or "",
        where=given.where or "",
        name_pattern=DEFAULT_PATTERN if given.name_pattern is None else given.name_pattern,
        keys_in_file=given.keys_in_file,
        lake_key=given.partition_by,
        folder_names=given.partition_name or "",
    )
    registration = _registration(given)
    urls = ", ".join(one.url for one in servers)
    say(given, f"Planning: {given.source} on ClickHouse at {urls} → {given.to} at {store.endpoint}")
    plans = plan_servers(servers, request, store)
    if registration:
        registration.check(plans)
    if given.dry_run:
        return show_plan(given, plans)
    has_parts = any(plan.parts for plan in plans)
    if has_parts:
        count = sum(len(plan.parts) for plan in plans)
        rows = sum(plan.rows for plan in plans)
        say(given, f"Exporting {count} parts, {rows} rows. Starting Spark ...")
        session_in_background(given.spark_master)
    with progress(given, plans) as show:
        monitor = Monitor(log, show)
        outcomes = list(exporter.execute(plans, monitor)) if has_parts else []
    code = show_outcomes(given, outcomes)
    if registration and has_parts:
        if code:
            say(given, "Not registered in Iceberg, since parts failed. Run the same command again.")
            return code
        return _register(given, registration, plans)
    return code


def _register(given: argparse.Namespace, registration: Registration, plans: Sequence[Plan]) -> int:
    try:
        added = registration.register(plans)
    except Unavailable:
        raise
    except PipelineError as error:  # not a refusal of the command: the files are there
        print(printable(str(error)), file=sys.stderr)
        return FAILURES
    say(given, f"Iceberg's {registration.table} has {added} more files, all in one snapshot.")
    return ALL_AS_EXPECTED


def _registration(given: argparse.Namespace) -> Registration | None:
    from pipelines.export.iceberg.registration import Registration

    if not given.register:
        if given.catalog or given.register_as:
            raise UsageError("--catalog and --as belong to --register iceberg.")
        return None
    if not given.catalog or "://" not in given.to:
        raise UsageError("--register iceberg needs --catalog URI, and --to s3://bucket/prefix.")
    if "://" not in given.catalog:
        raise UsageError(
            f"--catalog {given.catalog} is no URI: it is like sqlite:///file or http://…."
        )
    return Registration(given.catalog, given.register_as or given.source)


def _history(given: argparse.Namespace) -> int:
    from pipelines.export.monitoring.log import ExportLog

    if not given.log:
        raise UsageError("Say where exports were recorded: --log DB.")
    rows = ExportLog(server_of(given), given.log).history(1000)
    if given.json:
        print(json.dumps(rows, indent=1))
        return ALL_AS_EXPECTED
    for row in rows:
        table = f"{row['source_database']}.{row['source_table']}"
        source = f"{table} ({row['source_identity'] or 'server not recorded'})"
        name = f"{source} {row['part_name']}"
        size = f"{row['rows_read']} rows, {row['bytes_written']} bytes, {row['elapsed']} s"
        line = f"{row['create_time']} {row['user']} {row['status']}: {name} → "
        print(printable(f"{line}{row['destination_file_path']} ({size}) {row['error']}".rstrip()))
    return ALL_AS_EXPECTED


def _is_text(value: str) -> bool:
    """Whether all of its bytes were characters when the shell gave it to us."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _size(option: str, text: str) -> float:
    match = SIZE.fullmatch(text.upper())
    size = float(match[1]) * UNITS[match[2]] if match else math.inf
    if math.isinf(size):
        raise UsageError(f"{option} {text} is no number of bytes: it is like 500K, 20M or 0.")
    return size


def _number(option: str, text: str | None) -> int | None:
    if text is not None and (not text.isdecimal() or int(text) < 1):
        raise UsageError(f"{option} {text} is no number above 0.")
    return int(text) if text else None
