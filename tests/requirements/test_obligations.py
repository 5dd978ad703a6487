"""Obligations of a text, and the rule about steps that say which one they check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from requirements.commands import check
from requirements.obligations import obligations_of
from tests.requirements.documents import GOOD, SCENARIOS, make_project

NAME = "RQ.SRS-900.Example.Write"
ROWS = '\nROWS = {"a": ("`fsync`",), "b": ("`other`",)}\n'
TEXT = """\
[ClickHouse] SHALL refuse what has

* no rows;
* rows that
  are damaged.

| setting | value |
|---------|-------|
| `fsync` | `1`   |
| `sync`  | `2`   |

```text
* no item, it is an example
```

1. It says so.
"""


def test_items_and_rows_are_obligations() -> None:
    assert obligations_of(TEXT) == [
        "no rows;",
        "rows that are damaged.",
        "`fsync` | `1`",
        "`sync` | `2`",
        "It says so.",
    ]


def test_a_text_without_any_is_one_obligation() -> None:
    assert obligations_of("[ClickHouse] SHALL return\nthe rows.\n\n```sql\nSELECT 1\n```") == [
        "[ClickHouse] SHALL return the rows."
    ]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('covers("`fsync` | `1`", "`other`")', []),
        ('covers("`fsync`"); leaves_out("`other`", reason="r")', []),
        ('covers(*ROWS["a"])', []),
        ('covers("`fsync`", "`other`", "no")', ["'no' is in no obligation of this file"]),
        (
            'covers("`fsync`", "`other`"); leaves_out("none", reason="r")',
            ["'none' is in no obligation of this file"],
        ),
        ('covers("`")', ["'`' is in 2 obligations of this file"]),
        ('covers("`fsync`")', [f"no step says that it checks '`other` | `2`' of {NAME}"]),
        (
            "covers(CASE.text)",
            [
                f"no step says that it checks '`fsync` | `1`' of {NAME}",
                f"no step says that it checks '`other` | `2`' of {NAME}",
            ],
        ),
    ],
)
def test_what_a_step_covers_is_asked_for(
    said: str, found: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = GOOD.replace("| `fsync` | `1`   |\n", "| `fsync` | `1`   |\n| `other` | `2`   |\n")
    scenarios = SCENARIOS.replace("    pass", f"    {said}", 1)
    root = make_project(tmp_path, text, scenarios + ROWS)
    capsys.readouterr()
    check(as_json_report=True, root=root)
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [each["message"] for each in diagnostics] == found
    assert {each["rule"] for each in diagnostics} <= {"unknown-obligation", "unchecked-obligation"}
