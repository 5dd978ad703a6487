"""Several servers in one export: shards lie side by side, replicas of one table share its parts.

Each server has a plan of its own. Of a part that several replicas have, one plan has it, and the others
stand in if its server stops answering.
"""

from __future__ import annotations

import bisect
import math
import urllib.parse
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal
from pipelines.errors import PipelineError
from pipelines.export.commit import blocks_of
from pipelines.export.errors import ExportRefused
from pipelines.export.plan import Plan, PlannedPart, Request, make_plan
from pipelines.export.source import Identity
from pipelines.s3.store import Store

AT_ONCE = 8
PORTS = {"http": 8123, "https": 8443}
Candidate = tuple[Plan, PlannedPart]


def servers_of_cluster(server: Server, cluster: str) -> list[Server]:
    """The servers of a cluster that this one knows, each at the HTTP port of this one."""
    rows = server.rows(
        f"SELECT DISTINCT host_name FROM system.clusters WHERE cluster = {literal(cluster)} ORDER BY ALL"
    )
    if not rows:
        raise PipelineError(
            f"ClickHouse at {server.url} knows no cluster '{cluster}': SELECT cluster FROM system.clusters."
        )
    parts = urllib.parse.urlsplit(server.url)
    port = parts.port or PORTS[parts.scheme]
    hosts = [f"[{host}]" if ":" in host else host for (host,) in rows]
    return [replace(server, url=f"{parts.scheme}://{host}:{port}") for host in hosts]


def plan_servers(servers: Sequence[Server], request: Request, store: Store) -> list[Plan]:
    """Check everything on all servers and write nothing; a plan for each server."""
    for at, server in enumerate(servers):
        if server in servers[:at]:
            raise ExportRefused(
                "BAD_ARGUMENTS", f"{server.url} is there twice: name each server once."
            )
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda server: _plan_or_refusal(server, request, store), servers))
    plans = [plan for plan in found if isinstance(plan, Plan)]
    if not plans:  # a part or a partition that no server has
        raise next(error for error in found if isinstance(error, ExportRefused))
    by_table: dict[Identity, list[Plan]] = {}
    for plan in plans:
        by_table.setdefault(plan.source.identity, []).append(plan)
    shared = [plan for same in by_table.values() for plan in _share(same)]
    _check_names(shared)
    return shared


def _plan_or_refusal(server: Server, request: Request, store: Store) -> Plan | ExportRefused:
    try:
        return make_plan(server, request, store)
    except ExportRefused as refused:
        if refused.name == "NO_SUCH_DATA_PART":  # another server may have it
            return refused
        raise ExportRefused(refused.name, f"{refused.text} (ClickHouse at {server.url})") from None


def _share(plans: list[Plan]) -> list[Plan]:
    """The same parts, each in one plan only; the other replicas that have it stand in."""
    if len(plans) == 1:
        return plans
    first, second, *_ = plans
    if not first.source.identity.replicated:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"{first.server.url} and {second.server.url} are the same server, or have the same server UUID "
            f"and table UUID ({first.source.identity}): name each server once.",
        )
    holders: dict[str, list[Candidate]] = {}
    for plan in plans:
        for planned in plan.parts:
            holders.setdefault(planned.part.name, []).append((plan, planned))
    load = {plan.server: 0 for plan in plans}
    parts: dict[Server, list[PlannedPart]] = {plan.server: [] for plan in plans}
    stand_ins: dict[Server, dict[str, tuple[Plan, ...]]] = {plan.server: {} for plan in plans}
    for name in uncovered([candidates[0][1] for candidates in holders.values()]):
        chosen, *others = sorted(holders[name], key=lambda one: load[one[0].server])
        plan, planned = chosen
        load[plan.server] += planned.part.compressed
        parts[plan.server].append(planned)
        stand_ins[plan.server][name] = tuple(replace(other, parts=[it]) for other, it in others)
    return [
        replace(plan, parts=parts[plan.server], stand_ins=stand_ins[plan.server]) for plan in plans
    ]


def uncovered(parts: Iterable[PlannedPart]) -> list[str]:
    """The names of parts without those whose rows another one has, since a replica may lag behind."""
    kept: list[str] = []
    # First and last block of what is kept of each partition: sorted, and none overlaps another.
    blocks: dict[str, list[tuple[int, int]]] = {}
    for planned in sorted(parts, key=lambda planned: blocks_of(planned.part), reverse=True):
        part = planned.part
        known = blocks.setdefault(part.partition_id, [])
        at = bisect.bisect(known, (part.max_block, math.inf))
        if not at or known[at - 1][1] < part.min_block:
            known.insert(at, (part.min_block, part.max_block))
            kept.append(part.name)
    return kept


def _check_names(plans: Iterable[Plan]) -> None:
    """Refuse a name pattern that gives two parts the same file."""
    names: dict[str, Plan] = {}
    for plan in plans:
        for planned in plan.parts:
            other = names.setdefault(planned.key, plan)
            if other is not plan:
                raise ExportRefused(
                    "BAD_ARGUMENTS",
                    f"{plan.server.url} and {other.server.url} would both write {planned.key}: the name "
                    "pattern needs {source}, or {shard} if its macro differs.",
                )
