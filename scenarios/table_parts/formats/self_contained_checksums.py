"""CHECK TABLE compares the data files of parts with their checksums."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums,
)
from steps.damage import DAMAGES, content_of, damage
from steps.table_parts.part_life import FORMATS, active_parts, by_name
from steps.tables import NO_MERGES, Table, create_table

COLUMNS = "p UInt64, i UInt64, owner String, maybe Nullable(UInt8), many Array(UInt8)"
SOUND = 1000
INSERT = "INSERT INTO {table} SELECT {p}, number + 1, toString(number), 1, [1] FROM numbers({rows})"


def checked(table: Table) -> dict[str, int]:
    """What CHECK TABLE says of each part: 1 if it passed; if not, it has to say why."""
    answer = by_name(sorted(table.node.query(f"CHECK TABLE {table}")))
    unclear = {
        part: verdict for part, verdict in answer.items() if bool(verdict[0]) == bool(verdict[1])
    }
    assert unclear == {}, f"passed with a reason, or failed without one: {unclear}"
    for part, (_, reason) in answer.items():
        named = re.search(r"in data part '?(\w+)", reason)
        assert not named or named[1] == part, (
            f"the reason of {part} is about another part: {reason}"
        )
    return {part: passed for part, (passed, _) in answer.items()}


def passed_as_a_whole(table: Table) -> int:
    """What CHECK TABLE says of the table, in one value."""
    return int(
        table.node.value(f"CHECK TABLE {table}", settings={"check_query_single_value_result": 1})
    )


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_SelfContained_Checksums("1.0"))
def damaged_data_does_not_pass(self):
    """Every damage to every data file is reported, for the part that has it and for no other."""
    violations = []
    tables = {
        kind: create_table("checked", columns=COLUMNS, settings={**NO_MERGES, **formats})
        for kind, formats in FORMATS.items()
    }
    for kind, table in tables.items():
        with Given(f"a table of {kind} parts, one for each damage of each file and a sound one"):
            table.node.query(INSERT.format(table=table, p=SOUND, rows=50))
            (sound,) = active_parts(table).values()
            assert sound.kind == kind, error()
            names = sorted(file.name for file in sound.folder.glob("*.bin"))
            cells = [(name, how) for name in names for how in DAMAGES]
            p = f"number % {len(cells)} + 1"
            table.node.query(INSERT.format(table=table, p=p, rows=50 * len(cells)))
            parts = {int(part.partition_id): part for part in active_parts(table).values()}
            assert passed_as_a_whole(table) == 1, error()

        with When("the data files are damaged"):
            for number, (name, how) in enumerate(cells, 1):
                sound_content = (parts[number].folder / name).read_bytes()
                damage(parts[number].folder / name, how)
                expected_content = DAMAGES[how](sound_content)
                assert content_of(parts[number].folder / name) == expected_content, error()

        with Then("CHECK TABLE lets only the sound part pass"):
            actual = checked(table)
            expected = {part.name: int(number == SOUND) for number, part in parts.items()}
            assert actual.keys() == expected.keys(), error()
            violations += [
                f"{kind}: {cells[number - 1]} is {actual[part.name]}"
                for number, part in parts.items()
                if actual[part.name] != expected[part.name]
            ]

        with And("says so for the whole table"):
            assert passed_as_a_whole(table) == 0, error()

    with Then("no damage went unseen, no sound part was blamed"):
        assert violations == [], error()
