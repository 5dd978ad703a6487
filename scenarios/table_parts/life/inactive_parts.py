"""Superseded parts: kept for their lifetime, then removed by the server itself."""

import time
from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime,
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal,
)
from steps.table_parts.part_events import SECONDS, part_events
from steps.table_parts.part_files import FileState, files_of, table_folder
from steps.table_parts.part_life import (
    CLEANED,
    SUPERSEDING,
    in_background,
    inactive_parts,
    supersede,
    tidy_node,
    wait_until_removed,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

SOURCES = ["1_1_1_0", "1_2_2_0"]  # 2 variants
LONG, SHORT = 600, (0, 1, 2)
# Lifetimes that are looked at closely, and in how many tables at once.
CLOSELY, TABLES = (1, 2, 3), 3
# So late in a second a part is superseded that the next second is near, and so early that it is far.
LATE, EARLY = (0.6, 1.0), (0.1, 0.4)
ATTEMPTS = 10
PAUSE = 0.02


def two_parts(lifetime: int) -> Table:
    """A table whose superseded parts live so long, and which the server looks after all the time."""
    settings = {**NO_MERGES, **CLEANED, "old_parts_lifetime": lifetime}
    table = create_table("superseded", node=tidy_node(), settings=settings)
    for number in range(2):
        insert(table, [(1, number, "a")])
    return table


@dataclass(frozen=True)
class Superseded:
    """A table whose two parts were superseded in this way."""

    table: Table
    how: str

    @property
    def files(self) -> dict[str, dict[str, FileState]]:
        """The superseded parts that are there, file for file."""
        return {name: files_of(part.folder) for name, part in inactive_parts(self.table).items()}


def superseded(lifetime: int, how: str) -> Superseded:
    table = two_parts(lifetime)
    supersede(table, how)
    return Superseded(table, how)


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime("1.1"),
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Removal("1.0"),
)
def parts_are_removed_when_their_lifetime_is_over(self):
    """Parts with a short lifetime disappear with their folders, those with a long one stay whole."""
    with Given("parts superseded by merges and mutations, with a long lifetime"):
        kept = [superseded(LONG, how) for how in SUPERSEDING]
        files = [item.files for item in kept]
        assert [sorted(names) for names in files] == [SOURCES for _ in kept], error()

    with When("the server has removed such parts with short ones"):
        removed = [superseded(lifetime, how) for lifetime in SHORT for how in SUPERSEDING]
        for item in removed:
            folder = table_folder(item.table)
            wait_until_removed([folder / name for name in SOURCES])

    with Then("it does not list them any more"):
        assert [inactive_parts(item.table) for item in removed] == [{} for _ in removed], error()

    with And("those with the long one are there, inactive, with all their files"):
        assert [item.files for item in kept] == files, error()

    with And("no table has lost a row"):
        for item in (*kept, *removed):
            owner = "b" if item.how == "a mutation" else "a"
            assert contents(item.table) == [(1, 0, owner), (1, 1, owner)], error()


@dataclass(frozen=True)
class Life:
    """When a part was superseded and when it was removed, in seconds of the clock."""

    superseded: float
    removed: float

    @property
    def seconds(self) -> float:
        return self.removed - self.superseded

    @property
    def clock_seconds(self) -> int:
        """How many seconds of the clock began meanwhile."""
        return int(self.removed) - int(self.superseded)


def life_after_merge(table: Table) -> Life:
    """The life of the first part after it was merged with the second one."""
    merges = part_events(table, "MergeParts", SECONDS)
    assert list(merges) == ["1_1_2_1"], f"merges have made {sorted(merges)}"
    (merged,) = merges["1_1_2_1"]
    in_background(lambda: sorted(part_events(table, "RemovePart")), equals=SOURCES)
    removals = part_events(table, "RemovePart", SECONDS)
    assert sorted(removals) == SOURCES, f"{sorted(removals)} were removed"
    (removed,) = removals["1_1_1_0"]
    return Life(merged, removed)


def lives_of_merged_parts(lifetime: int, within: tuple[float, float] = LATE) -> list[Life]:
    """The lives of parts that were merged within these fractions of a second.

    The log has an event a moment after it: of one that it has at the very beginning of a second nobody knows
    whether the part was superseded in that second or in the one before.
    """
    begin, end = within
    tables = [two_parts(lifetime) for _ in range(TABLES)]
    this().eventually(lambda: begin < time.time() % 1 < end, pause=PAUSE, longest_pause=PAUSE)
    for table in tables:
        supersede(table, "a merge")
    lives = [life_after_merge(table) for table in tables]
    return [life for life in lives if begin < life.superseded % 1 < end]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Lifetime("1.1"))
def lifetime_in_seconds_of_the_clock(self):
    """A part is on disk until as many seconds of the clock have begun, wherever in one it was superseded."""
    with When("parts are superseded late in a second and the server removes them"):
        lives: dict[int, list[Life]] = {lifetime: [] for lifetime in CLOSELY}
        for _ in range(ATTEMPTS):
            for lifetime in CLOSELY:
                lives[lifetime] += lives_of_merged_parts(lifetime)
            if all(lives.values()):
                break

    with Then("each was removed soon after its lifetime"):
        late = [life for lifetime in CLOSELY for life in lives[lifetime] if life.seconds > 20]
        assert late == [], error()

    with And("none with a lifetime went in the second in which it was superseded"):
        shortest: list[Life] = []
        for _ in range(ATTEMPTS):
            shortest += lives_of_merged_parts(1, EARLY)
            if len(shortest) >= TABLES:
                break
        assert shortest and min(life.clock_seconds for life in shortest) >= 1, error()

    with And("each was there until its lifetime of whole seconds was over"):
        begun = {
            lifetime: min(life.clock_seconds for life in of_one)
            for lifetime, of_one in lives.items()
        }
        assert all(begun[lifetime] >= lifetime for lifetime in CLOSELY), error()
