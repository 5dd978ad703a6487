"""A part needs nothing but its folder: copies of it can be attached elsewhere, if they are complete."""

import itertools
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete,
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable,
)
from steps.refusals import attempt
from steps.table_parts.part_files import changes, copy_to_detached, detached_folder, files_of
from steps.table_parts.part_life import FORMATS, KEPT, active_parts, detached_parts, merge, mutate
from steps.tables import NO_MERGES, Table, contents, create_table, drop_table, fill

COLUMNS = "p UInt64, i UInt64, owner String, maybe Nullable(UInt8), many Array(UInt8)"
ROWS = [(number % 2, number, f"{number}", number + 1, [number]) for number in range(20)]
# Inserted, merged and mutated ones.
PARTS = ["1_1_1_0_7", "1_2_2_0_7", "2_3_4_1_7", "3_5_5_0_7", "3_6_6_0_7"]  # 5 variants
MISSING_FILE = {107, 226}
PART = "0_1_1_0"
# Without its checksums, too, a part may not seem to be complete.
ALSO_MISSING: tuple[tuple[str, ...], ...] = ((), ("checksums.txt",))  # 2 variants


def created(name: str, kind: str, **options: Any) -> Table:
    """A table whose parts are all of this kind."""
    return create_table(name, settings={**NO_MERGES, **KEPT, **FORMATS[kind]}, **options)


def attach(table: Table, part: str) -> str:
    return f"ALTER TABLE {table} ATTACH PART '{part}'"


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="PARTITION 2 FINAL",
    reason="OPTIMIZE of a partition with several parts merges all of them, with FINAL or without",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_OtherTable("1.0"))
def copies_are_attached_to_another_table(self):
    """Folders of inserted, merged and mutated parts give their rows in another table and server."""
    with Given("a source with parts of every origin"):
        sources = {kind: created("source", kind) for kind in FORMATS}
        rows = {}
        for source in sources.values():
            inserted = fill(source, [1, 2, 3], parts=2)
            merge(source, partition=2)
            mutate(source, "UPDATE owner = concat(owner, '!') IN PARTITION 3 WHERE 1")
            rows[source] = [(p, i, f"{owner}!" if p == 3 else owner) for p, i, owner in inserted]
        elsewhere = this().node("elsewhere")

    with When("I copy the folders to another table and another server, and the source is gone"):
        copies = []
        for kind, source in sources.items():
            parts = active_parts(source)
            assert list(parts) == PARTS, error()
            assert {part.kind for part in parts.values()} == {kind}, error()
            tables = created("here", kind), created("there", kind, node=elsewhere)
            for table in tables:
                for part in parts.values():
                    copy_to_detached(part.folder, table)
                copies.append((table, rows[source]))
            drop_table(source)

    with Then("every part can be attached there"):
        for table, _ in copies:
            assert contents(table) == [], error()
            assert detached_parts(table) == dict.fromkeys(PARTS, ""), error()
            for name in PARTS:
                table.node.query(attach(table, name))

    with And("the tables have exactly the rows of the source"):
        for table, expected in copies:
            assert contents(table) == expected, error()
            assert len(active_parts(table)) == len(PARTS), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_AttachIncomplete("1.0"))
def incomplete_part_stays_detached(self):
    """Without any one of its data files a part is not attached; it stays where it is, as it is."""
    with Given("a detached part of each format"):
        tables = {kind: created("table", kind, columns=COLUMNS) for kind in FORMATS}
        for table in tables.values():
            table.node.query(
                f"INSERT INTO {table} SELECT number % 2, number, toString(number), number + 1, "
                "[number] FROM numbers(20)"
            )
            table.node.query(f"ALTER TABLE {table} DETACH PART '{PART}'")
            assert detached_parts(table) == {PART: ""}, error()

    violations: list[str] = []
    tried: dict[str, list[list[str]]] = {kind: [] for kind in FORMATS}
    for kind, table in tables.items():
        folder = detached_folder(table) / PART
        before = contents(table), active_parts(table)
        assert before[0], "the fixture is empty: the table has nothing to lose"
        complete = {file.name for file in folder.iterdir()}
        data = sorted(name for name in complete if name.endswith(".bin"))
        for file, also in itertools.product(data, ALSO_MISSING):
            lacking = [file, *also]
            tried[kind].append(lacking)
            with When(f"I attach a {kind} part without {' and '.join(lacking)}"):
                taken = {name: (folder / name).read_bytes() for name in lacking}
                for name in lacking:
                    (folder / name).unlink()
                left = files_of(folder)
                outcome = attempt(table.node, attach(table, PART))
                if outcome.code not in MISSING_FILE:
                    violations.append(f"{kind} without {lacking}: {outcome}")
                if detached_parts(table) != {PART: ""}:
                    violations.append(f"{kind} without {lacking}: detached {detached_parts(table)}")
                # (The attempt may leave a note beside the files that a part consists of.)
                lost = complete & {*changes(left, files_of(folder))}
                if lost:
                    violations.append(f"{kind} without {lacking}: lost or changed {lost}")
                if (contents(table), active_parts(table)) != before:
                    violations.append(f"{kind} without {lacking}: the table has changed")
                for name, content in taken.items():
                    (folder / name).write_bytes(content)

    with Then("each attempt is refused and the part is left detached"):
        assert violations == [], error()

    with And("there were files to take away in both formats"):
        assert tried["Compact"] == [["data.bin"], ["data.bin", "checksums.txt"]], error()
        assert len(tried["Wide"]) > 10, error()

    with And("with all its files the same part is attached"):
        for table in tables.values():
            table.node.query(attach(table, PART))
            assert contents(table) == sorted(ROWS), error()
