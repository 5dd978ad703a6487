"""Every assertion of scenarios and steps fails as a Fail: `error()` can read it where it is written.

TestFlows reads the source of the assertion that `error()` stands in. On a line of its own, or in an
assertion on the line of its block, it raises another exception, and a Fail becomes an Error.
"""

from __future__ import annotations

import ast
import importlib.util
import textwrap
from pathlib import Path

import pytest

from helpers.base.paths import ROOT

BAD = {
    "line of its own": """
        assert one == [2], (
            error()
        )
        """,
    "line of the block": "if one: assert one == [2], error()",
    "no assertion": "print(error())",
}
GOOD = {
    "one line": "assert one == [2], error()",
    "list": """
        assert one == [
            2,
        ], error()
        """,
    "comprehension": """
        assert [
            value for value in one
        ] == [2], error("more")
        """,
}


def unreadable(source: str) -> list[int]:
    """The lines of `error()` that TestFlows cannot read."""
    tree, lines = ast.parse(source), source.splitlines()
    messages = {}
    for parent in ast.walk(tree):
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Assert) and child.msg is not None:
                starts_line = not lines[child.lineno - 1][: child.col_offset].strip()
                messages[id(child.msg)] = starts_line
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "error"
        and not (
            messages.get(id(node), False) and lines[node.lineno - 1][: node.col_offset].strip()
        )
    ]


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_unreadable_assertion_is_found_and_raises_no_assertion_error(
    source: str, tmp_path: Path
) -> None:
    source = textwrap.dedent(source).strip()
    assert unreadable(source) == [2 if "\n" in source else 1]
    with pytest.raises((RuntimeError, TypeError)):
        run(source, tmp_path)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_readable_assertion_is_not_found_and_fails(source: str, tmp_path: Path) -> None:
    source = textwrap.dedent(source).strip()
    assert unreadable(source) == []
    with pytest.raises(AssertionError, match="Assertion failed"):
        run(source, tmp_path)


def test_all_assertions_of_the_project_are_readable() -> None:
    files = [*(ROOT / "scenarios").rglob("*.py"), *(ROOT / "steps").rglob("*.py")]
    assert len(files) > 50
    places = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        for line in unreadable(file.read_text())
    ]
    assert places == []


def run(source: str, folder: Path) -> None:
    """The statement in a function of a module: TestFlows reads files."""
    file = folder / "asserting.py"
    body = textwrap.indent(source, "    ")
    file.write_text(f"from testflows.asserts import error\n\n\ndef run():\n    one = [1]\n{body}\n")
    spec = importlib.util.spec_from_file_location("asserting", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.run()
