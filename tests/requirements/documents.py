"""A specification without a fault, and a small project around it, for tests to damage."""

from __future__ import annotations

from pathlib import Path

from testflows._core.objects import Specification

from requirements.commands import accept, compile_
from requirements.compiler import specification

GOOD = """\
# SRS-900 Example of a Specification

## Table of Contents

* 1 [Introduction](#introduction)
* 2 [Reading](#reading)
    * 2.1 [RQ.SRS-900.Example.Read](#rqsrs-900exampleread)
    * 2.2 [RQ.SRS-900.Example.Write](#rqsrs-900examplewrite)

## Introduction

What [ClickHouse] promises here is made up.

## Reading

### RQ.SRS-900.Example.Read
version: 1.0

[ClickHouse] SHALL return the rows that were inserted.

```sql
CREATE TABLE example (id UInt64) ENGINE = MergeTree ORDER BY id;

SELECT id FROM example;
```

### RQ.SRS-900.Example.Write
version: 1.1
origin: ours

[ClickHouse] SHALL keep a row that was acknowledged.

| setting | value |
|---------|-------|
| `fsync` | `1`   |

[ClickHouse]: https://clickhouse.com
"""

WHY = "read the text and both scenarios"
SCENARIOS = """\
from testflows.core import *

from requirements.srs900_example import *


@TestScenario
@Requirements(RQ_SRS_900_Example_Read("1.0"))
def rows_come_back(self):
    pass


@TestScenario
@Requirements(
    RQ_SRS_900_Example_Read("1.0"),
    RQ_SRS_900_Example_Write("1.1"),
)
@Name("rows stay")
def stay(self):
    pass


def run():
    for case in CASES:
        before = read(case)
        write(case)
        assert read(case) == before


CASES = (1, 2, 3)  # 3 variants
"""


def make_project(root: Path, text: str = GOOD, scenarios: str = SCENARIOS) -> Path:
    """Writes a project whose specification is compiled and whose links are accepted."""
    (root / "requirements").mkdir()
    (root / "scenarios" / "example_feature").mkdir(parents=True)
    (root / "requirements" / "srs900_example.md").write_text(text)
    (root / "scenarios" / "example_feature" / "reading.py").write_text(scenarios)
    compile_(root=root)
    accept([], reason=WHY, everything=True, root=root)
    return root


def assert_same(actual: Specification, expected: specification.Specification) -> None:
    """A module's specification has the headings and requirements of the document, in order."""
    assert actual.name == f"{expected.id} {expected.title}"
    assert [tuple(heading) for heading in actual.headings] == [
        (section.title, section.level, section.number) for section in expected.sections
    ]
    assert [
        (each.name, each.version, each.description, each.level, each.num)
        for each in actual.requirements
    ] == [
        (each.name, each.version, each.text, each.level, each.number)
        for each in expected.requirements
    ]
