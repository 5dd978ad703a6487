"""The command `new`: writes the first files of a feature."""

from __future__ import annotations

import argparse
import keyword
import re
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, UsageError
from helpers.base.paths import ROOT
from requirements.commands import compile_
from requirements.links import NO_SCENARIOS

NAME = re.compile(r"[a-z][a-z0-9]*(?: [a-z0-9]+)*")
SPECIFICATION = re.compile(r"SRS-(\d{3})")
LONGEST_NAME = 60

TEXT = """\
# {srs} ClickHouse {Title}
origin: ours
statements: {STATEMENT}

## Table of Contents

## Introduction

This specification says what [ClickHouse] does with `{STATEMENT}`.

## Statement

### {requirement}
version: 1.0

[ClickHouse] SHALL execute `ALTER TABLE … {STATEMENT}` on the partition that it names, and leave the rows of all other partitions as they are.

[ClickHouse]: https://clickhouse.com
"""  # noqa: E501
FEATURE = '"""{STATEMENT}, specified by {srs}."""\n'
TOPIC = '''\
"""{STATEMENT} changes the partition that it names, and no other one."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.{module} import {python}
from steps.tables import contents, create_table, fill


@TestScenario
@Requirements({python}("1.0"))
def other_partitions_are_kept(self):
    """The rows of a partition change, and those of the others do not."""
    with Given("a table with three partitions"):
        table = create_table("changed")
        before = fill(table, (1, 2, 3))

    with When("I execute the statement on one of them"):
        table.node.query(f"ALTER TABLE {{table}} {STATEMENT} 1")

    with Then("its rows changed"):
        assert contents(table, partition=1) != [row for row in before if row[0] == 1], error()

    with And("the others are as they were"):
        after = [row for row in contents(table) if row[0] != 1]
        assert after == [row for row in before if row[0] != 1], error()
'''


def feature(given: argparse.Namespace) -> int:
    name, srs = given.name, given.specification
    number = SPECIFICATION.fullmatch(srs)
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not a name such as 'drop partition': lower-case words.")
    if number is None:
        raise UsageError(f"--specification {srs!r} is not like SRS-200.")
    slug = name.replace(" ", "_")
    if keyword.iskeyword(slug) or slug in NO_SCENARIOS or len(slug) > LONGEST_NAME:
        raise UsageError(
            f"{name[:LONGEST_NAME]!r} cannot be the name of a feature: it is a word of Python, a folder "
            f"without scenarios ({', '.join(sorted(NO_SCENARIOS))}), or longer than {LONGEST_NAME} letters."
        )
    written = _files(name, slug, srs, number[1])
    _refuse_if_there(written, f"srs{number[1]}", slug)
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: written")
    code = compile_(toc=True)
    print(f'Run it: ./regression.py --only "/{name}/*". CONTRIBUTING.md says how to go on.')
    return code or ALL_AS_EXPECTED


def _files(name: str, slug: str, srs: str, number: str) -> dict[Path, str]:
    requirement, module = _requirement(srs, name), f"srs{number}_{slug}"
    values = {
        "srs": srs,
        "Title": name.title(),
        "STATEMENT": name.upper(),
        "requirement": requirement,
        "module": module,
        "python": re.sub(r"[.-]", "_", requirement),
    }
    folder = ROOT / "scenarios" / slug
    return {
        ROOT / "requirements" / f"{module}.md": TEXT.format(**values),
        folder / "__init__.py": FEATURE.format(**values),
        folder / "other_partitions.py": TOPIC.format(**values),
    }


def _requirement(srs: str, name: str) -> str:
    return f"RQ.{srs}.ClickHouse.{name.title().replace(' ', '')}"


def _refuse_if_there(files: dict[Path, str], specification: str, slug: str) -> None:
    taken = [*(ROOT / "requirements").glob(f"{specification}_*.md"), ROOT / "scenarios" / slug]
    for path in (*taken, *files):
        if path.exists():
            raise UsageError(f"{path.relative_to(ROOT)} is there already: choose another name.")
