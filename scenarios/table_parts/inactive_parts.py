"""Superseded parts: kept for their lifetime, then removed by the server itself."""

import time
from functools import partial
from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime,
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal,
)
from steps.part_files import files_of
from steps.part_life import (
    CLEANED,
    SUPERSEDE,
    active_parts,
    in_background,
    inactive_parts,
    merge,
    seen_removed,
    tidy_node,
)
from steps.refusals import listed
from steps.tables import NO_MERGES, Table, contents, create_table, insert

LONG, SHORT = 600, (0, 1, 2)
# So late in a second a part is superseded that the next second is near.
LATE = 0.6
ATTEMPTS = 10
LONG_ENOUGH = 8


def superseded(lifetime: int, what: str) -> tuple[Table, list[str]]:
    """A table with superseded parts of this lifetime, which the server looks for all the time."""
    table = two_parts(lifetime)
    sources = sorted(active_parts(table))
    SUPERSEDE[what](table)
    return table, sources


def two_parts(lifetime: int) -> Table:
    table = create_table(
        "superseded",
        node=tidy_node(),
        settings={**NO_MERGES, **CLEANED, "old_parts_lifetime": lifetime},
    )
    for number in range(2):
        insert(table, [(1, number, "a")])
    return table


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal("1.0"),
)
def parts_are_removed_when_their_lifetime_is_over(self):
    """Parts with a short lifetime disappear with their folders, those with a long one stay whole."""
    with Given("parts superseded by merges and mutations, with a long lifetime"):
        kept = [superseded(LONG, what) for what in SUPERSEDE]
        folders = [
            {name: files_of(part.folder) for name, part in inactive_parts(table).items()}
            for table, _ in kept
        ]
        assert [sorted(found) for found in folders] == [sources for _, sources in kept], error()

    with And("such parts with short ones"):
        others = [superseded(lifetime, what) for lifetime in SHORT for what in SUPERSEDE]

    with When("I wait until the server has removed those with short lifetimes"):
        for table, _ in others:
            in_background(partial(inactive_parts, table), equals={})

    with Then("nothing is left of them in the tables' folders"):
        for table, sources in others:
            (folder,) = {part.folder.parent for part in active_parts(table).values()}
            seen_removed([folder / name for name in sources])

    with And("those with the long one are there, inactive, with all their files"):
        for (table, sources), files in zip(kept, folders, strict=True):
            found = inactive_parts(table)
            assert sorted(found) == sources, error()
            assert {name: files_of(part.folder) for name, part in found.items()} == files, error()

    with And("no table has lost a row"):
        for table, _ in (*kept, *others):
            assert [row[1] for row in contents(table)] == [0, 1], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime("1.0"))
@deviates(
    step="it was there for its whole lifetime",
    effect="removed too early: after 0.",
    reason="the server counts whole seconds of the clock: a part superseded late in a second is a "
    "second old when the next one begins, so that it goes up to one second too early",
)
def lifetime_to_the_fraction_of_a_second(self):
    """A part is on disk for the whole of its lifetime, whenever in a second it was superseded."""
    early: list[float] = []
    for _ in range(ATTEMPTS):
        with Given("parts with a lifetime of one second"):
            tables = [two_parts(lifetime=1) for _ in range(3)]
            folders = [active_parts(table)["1_1_1_0"].folder for table in tables]

        with When("they are superseded late in a second"):
            time.sleep((LATE - time.time()) % 1)
            began = time.monotonic()
            for table in tables:
                merge(table)

        with And("the server removes one"):
            while all(map(Path.exists, folders)) and time.monotonic() < began + LONG_ENOUGH:
                time.sleep(0.005)
            seconds = time.monotonic() - began
            assert seconds < LONG_ENOUGH, "it proves nothing: no part was removed"
            if seconds < 1:
                early.append(seconds)
                break

    with Then("it was there for its whole lifetime"):
        assert not early, listed("removed too early", [f"after {early[0]:.2f} s"])
