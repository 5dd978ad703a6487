"""Mutations write new parts, in the places of the old ones."""

from collections.abc import Callable, Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.session import Row
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks,
    RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart,
)
from steps.part_life import (
    FORMATS,
    KEPT,
    PartRecord,
    active_parts,
    merge,
    mutate,
    part_records,
    rows_by_part,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

# What is done to the rows (p, i, owner), in SQL and in Python.
CHANGES: Mapping[str, Callable[[list[Row]], list[Row]]] = {
    "UPDATE owner = 'changed' WHERE i % 2": lambda rows: [
        (p, i, "changed" if i % 2 else owner) for p, i, owner in rows
    ],
    "DELETE WHERE i % 3 = 0": lambda rows: [row for row in rows if row[1] % 3],
    "UPDATE owner = concat(owner, '!') IN PARTITION 1 WHERE 1": lambda rows: [
        (p, i, f"{owner}!" if p == 1 else owner) for p, i, owner in rows
    ],
    "DELETE IN PARTITION 0 WHERE i > 20": lambda rows: [
        row for row in rows if row[0] or row[1] <= 20
    ],
}


def lived(kind: str) -> Table:
    """A table with an inserted part in one partition and a merged one and a new one in the other."""
    table = create_table("mutated", settings={**NO_MERGES, **KEPT, **FORMATS[kind]})
    insert(table, [(1, number, "row") for number in range(0, 20, 2)])
    insert(table, [(1, number, "row") for number in range(1, 20, 2)])
    merge(table)
    insert(table, [(number % 2, number, "row") for number in range(20, 40)])
    return table


def place(part: PartRecord) -> tuple[str, int, int, int]:
    return part.partition_id, part.min_block, part.max_block, part.level


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Mutation_NewPart("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Mutation_Blocks("1.0"),
)
def changed_rows_are_in_new_parts(self):
    """Each mutation leaves its rows in new parts at the old ones' places, and those are inactive."""
    violations, levels = [], set()
    for kind in FORMATS:
        with Given(f"a table of {kind} parts, inserted and merged ones"):
            table = lived(kind)
            expected = contents(table)
            assert {part.kind for part in active_parts(table).values()} == {kind}, error()

        for change, effect in CHANGES.items():
            with When(f"I run {change}"):
                before, read = active_parts(table), rows_by_part(table)
                mutate(table, change)
                name = f"{kind}, {change}"
                wanted = sorted(effect(expected))
                assert wanted != expected, f"it proves nothing: {change} changes no row"
                expected = wanted

                after, read_after = part_records(table), rows_by_part(table)
                new = {
                    one: part for one, part in after.items() if part.active and one not in before
                }
                rewritten = {place(part): part.name for part in new.values()}
                levels |= {part.level for part in new.values()}
                if contents(table) != expected:
                    violations.append(f"{name}: wrong rows")
                for part in before.values():
                    successor = rewritten.pop(place(part), None)
                    changed = sorted(effect(sorted(read[part.name]))) != sorted(read[part.name])
                    if successor is None and (changed or not after[part.name].active):
                        violations.append(f"{name}: {part.name} has no successor in its place")
                    if successor is None:
                        continue
                    if after[part.name].active:
                        violations.append(f"{name}: {part.name} is active beside {successor}")
                    if sorted(read_after.get(successor, [])) != sorted(effect(read[part.name])):
                        violations.append(f"{name}: {successor} has other rows than it should")
                    if (
                        successor
                        != f"{'_'.join(map(str, place(part)))}_{new[successor].data_version}"
                    ):
                        violations.append(f"{name}: {part.name} became {successor}")
                if rewritten:
                    violations.append(f"{name}: {rewritten} have blocks or levels of their own")

    with Then("new parts have taken over the places of the old ones, with the changed rows"):
        assert violations == [], error()

    with And("parts of more than one level were rewritten"):
        assert levels == {0, 1}, error()
