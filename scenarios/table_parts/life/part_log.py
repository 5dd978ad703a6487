"""The log of parts: every part that is made, moved or removed is in it."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Log
from steps.table_parts.part_events import part_events
from steps.table_parts.part_life import (
    CLEANED,
    filled_parts,
    in_background,
    merge,
    mutate,
    part_records,
)
from steps.tables import NO_MERGES, Table, create_table, insert

MISSING_AND_INVENTED = {
    "attached 1_2_2_0": "no event",
    "NewPart": "1_1_1_1 with 0 rows, which nobody has inserted",
}
EVENTS = ("NewPart", "MergeParts", "MutatePart", "MovePart", "RemovePart")  # 5 variants


def logged_table(name: str, **settings: object) -> Table:
    """A table on the first of two disks, whose superseded parts the server removes at once."""
    node = this().node("disks", fragments=("disks", "tidy"))
    policy = {"storage_policy": "tiered", "old_parts_lifetime": 0}
    return create_table(name, node=node, settings={**NO_MERGES, **CLEANED, **policy, **settings})


def logged(table: Table) -> dict[str, dict[str, tuple[Any, ...]]]:
    """By event and part: the rows of the part, and what it was made of."""
    return {event: part_events(table, event, "rows", "merged_from") for event in EVENTS}


@TestScenario
@equivalent(
    mutant="drop",
    statement="SYSTEM FLUSH LOGS part_log",
    reason="the last events are waited for, so that the log has all of them before it is read again",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Log("1.0"))
def events_of_parts(self):
    """Inserts, merges, mutations, moves and removals leave one event each, with rows and sources."""
    with Given("a table whose parts were inserted, merged, mutated and moved"):
        table = logged_table("logged")
        insert(table, [(1, 1, "a"), (2, 1, "a"), (2, 2, "a")])
        insert(table, [(1, 3, "a"), (1, 4, "a")])
        merge(table, partition=1)
        mutate(table, "UPDATE owner = 'b' WHERE 1")
        table.node.query(f"ALTER TABLE {table} MOVE PARTITION 2 TO DISK 'two'")

    with When("the server has removed the superseded ones"):
        in_background(lambda: list(part_records(table)), equals=["1_1_3_1_4", "2_2_2_0_4"])
        removed = ["1_1_1_0", "1_1_3_1", "1_3_3_0", "2_2_2_0"]
        in_background(lambda: sorted(part_events(table, "RemovePart")), equals=removed)

    with Then("the log has all that, once, and nothing else"):
        assert logged(table) == {
            "NewPart": {"1_1_1_0": (1, []), "2_2_2_0": (2, []), "1_3_3_0": (2, [])},
            "MergeParts": {"1_1_3_1": (3, ["1_1_1_0", "1_3_3_0"])},
            "MutatePart": {"1_1_3_1_4": (3, ["1_1_3_1"]), "2_2_2_0_4": (2, ["2_2_2_0"])},
            "MovePart": {"2_2_2_0_4": (2, ["2_2_2_0_4"])},
            "RemovePart": {
                "1_1_1_0": (1, []),
                "1_3_3_0": (2, []),
                "1_1_3_1": (3, []),
                "2_2_2_0": (2, []),
            },
        }, error()

    with And("the disks of parts that were moved and of those that were not"):
        assert part_events(table, "MovePart", "disk_name") == {"2_2_2_0_4": ("two",)}, error()
        assert part_events(table, "MutatePart", "disk_name") == {
            "1_1_3_1_4": ("one",),
            "2_2_2_0_4": ("one",),
        }, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Log("1.0"))
@deviates(
    step="every removed part is in the log from its beginning to its end, and no other one",
    observed=MISSING_AND_INVENTED,
    reason="attached parts are not logged, empty ones that replace detached ones are, as inserted",
    kind="requirement",
    severity="message",
)
def events_of_detached_parts(self):
    """A part that is detached and attached is in the log with each of its names."""
    with Given("a part that was detached and attached"):
        table = logged_table("attached")
        insert(table, [(1, 1, "a")])
        table.node.query(f"ALTER TABLE {table} DETACH PART '1_1_1_0'")
        table.node.query(f"ALTER TABLE {table} ATTACH PART '1_1_1_0'")
        attached = list(filled_parts(table))
        assert attached == ["1_2_2_0"], error()

    with When("the server has removed what was left of it"):
        in_background(lambda: list(part_records(table)), equals=["1_2_2_0"])
        removed = ["1_1_1_0", "1_1_1_1"]
        in_background(lambda: sorted(part_events(table, "RemovePart")), equals=removed)

    with Then("its insert and its removal are in the log"):
        events = logged(table)
        assert events["RemovePart"] == {"1_1_1_0": (1, []), "1_1_1_1": (0, [])}, error()
        assert events["NewPart"]["1_1_1_0"] == (1, []), error()
        assert events["MergeParts"] == events["MutatePart"] == events["MovePart"] == {}, error()

    with And("every removed part is in the log from its beginning to its end, and no other one"):
        created = {name: rows for name, (rows, _) in events["NewPart"].items()}
        violations = {f"attached {name}": "no event" for name in attached if name not in created}
        invented = [name for name in created if name not in ("1_1_1_0", *attached)]
        for name in invented:
            violations["NewPart"] = f"{name} with {created[name]} rows, which nobody has inserted"
        assert_no_violations(violations)
