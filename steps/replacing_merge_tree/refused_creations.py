"""CREATE TABLE statements that have to be refused, each beside a similar one that is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from helpers.scenario.context import this
from steps.refusals import attempt
from steps.replacing_merge_tree.stored_rows import engines
from steps.tables import Table


@dataclass(frozen=True)
class Creation:
    """The columns of a table and what follows them."""

    columns: str
    definition: str


def new_table() -> Table:
    """The name of a table that is not there yet."""
    return Table(this().node(), this().database, this().unique("created"))


@dataclass(frozen=True)
class RefusedCreation:
    """A table that cannot be created, how it is refused, and one that differs in what is forbidden."""

    name: str
    creation: Creation
    code: int
    text: str
    control: Creation


def refusal_violations(refusals: Iterable[RefusedCreation], **options: Any) -> dict[str, object]:
    """Where a table is not refused with this code and text, is there all the same, or its control not."""
    violations: dict[str, object] = {}
    tried = list(refusals)
    assert tried, "no table is to be refused: nothing would be tried"
    for refusal in tried:
        for name, creation in {
            refusal.name: refusal.creation,
            f"{refusal.name}, the control": refusal.control,
        }.items():
            table = new_table()
            outcome = attempt(
                table.node,
                f"CREATE TABLE {table} ({creation.columns}) {creation.definition}",
                **options,
            )
            created = ["ReplacingMergeTree"] if creation is refusal.control else []
            if (actual := engines(table)) != created:
                violations[name] = f"{outcome}, the tables of this name are {actual}"
            elif creation is not refusal.control and (
                outcome.code != refusal.code or refusal.text not in outcome.message
            ):
                violations[name] = f"{outcome} (expected {refusal.code} and {refusal.text!r})"
    return violations
