"""Tables of variants and checks in scenarios and steps, and the record of how many there are.

A scenario that loops over a table proves what the table names. Whoever takes a line out of it, or takes a
check away, makes the scenario prove less, and nothing turns red: so the numbers are recorded, and a smaller
one is an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from requirements.links import parsed
from requirements.records import read_record, write_record

FILE = Path("requirements") / "variants.json"
COLLECTIONS = (ast.Tuple, ast.List, ast.Set, ast.Dict)
CHECKS = "checks"
"""In the record: how many checks a file has."""
# Names of functions that fail if what they check does not hold.
CHECKING = re.compile(r"(assert|wait_until)_\w+|fails|eventually|in_background")
STEPS = re.compile(r"^from steps(?:\.(\w+) import|\s+import (\w+))", re.MULTILINE)


class Table(NamedTuple):
    """A collection that is written out: its name in its file, and how many different elements it has."""

    file: str
    line: int
    name: str
    size: int

    @property
    def key(self) -> str:
        return f"{self.file} {self.name}"


class Smaller(NamedTuple):
    """A table that had more elements when it was recorded; 0 if it is gone."""

    file: str
    line: int
    name: str
    before: int
    now: int

    def __str__(self) -> str:
        left = f"has {self.now}" if self.now else "is gone"
        if self.name == CHECKS:
            return f"it had {self.before} checks and has {self.now}"
        return f"{self.name} had {self.before} variants and {left}"


def read_tables(root: Path) -> list[Table]:
    """The tables of all scenarios and steps. A file that cannot be read is reported with the links."""
    found: list[Table] = []
    for folder in ("scenarios", "steps"):
        for path in sorted((root / folder).rglob("*.py")):
            try:
                tree = parsed(path)
            except (SyntaxError, ValueError, OSError):
                continue
            file = path.relative_to(root).as_posix()
            found += _tables(tree, file)
            if checks := sum(map(_is_check, ast.walk(tree))):
                found.append(Table(file, 1, CHECKS, checks))
    return found


def _is_check(node: ast.AST) -> bool:
    """An assertion, a comparison of two different things, or a call that fails if something is not so."""
    if isinstance(node, ast.Compare):
        return [ast.dump(node.left)] != [ast.dump(compared) for compared in node.comparators]
    if isinstance(node, ast.Call):
        return CHECKING.fullmatch(ast.unparse(node.func).rpartition(".")[2]) is not None
    return isinstance(node, ast.Assert)


def _tables(tree: ast.Module, file: str) -> Iterator[Table]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(b) for b in node.bases):
            members = sum(isinstance(statement, ast.Assign) for statement in node.body)
            yield Table(file, node.lineno, node.name, members)
        elif isinstance(node, ast.FunctionDef):
            yield from _tables_of_function(node, node.name, file)
        elif isinstance(node, ast.AnnAssign) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        ):
            yield from _table(node, node.value, _target(node), file)


def _tables_of_function(node: ast.stmt, function: str, file: str) -> Iterator[Table]:
    """What a function loops over where it is written out, and its own dictionaries of variants."""
    if isinstance(node, ast.For):
        yield from _table(node, node.iter, f"{function}: for {ast.unparse(node.target)}", file)
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
        yield from _table(node, node.value, f"{function}: {_target(node)}", file)
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt):
            yield from _tables_of_function(inner, function, file)


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


def _table(node: ast.stmt, value: ast.expr | None, name: str, file: str) -> Iterator[Table]:
    parts = list(ast.walk(value)) if value else []
    size = sum(map(_size, parts))
    if size > 1 and any(isinstance(part, COLLECTIONS) or _range(part) for part in parts):
        yield Table(file, node.lineno, name, size)


def _size(node: ast.AST) -> int:
    """How many elements a collection has by itself; those inside of them are counted there.

    Of constants that are the same one counts: a line that repeats another is no variant. What a call in a
    table is given counts as well: without one of its arguments a variant is like another one.
    """
    if isinstance(node, ast.Call):
        return len(_range(node) or ()) or len(node.args) + len(node.keywords)
    if not isinstance(node, COLLECTIONS):
        return 0
    elements = node.keys if isinstance(node, ast.Dict) else node.elts
    constants = {repr(element.value) for element in elements if isinstance(element, ast.Constant)}
    return len(constants) + sum(not isinstance(element, ast.Constant) for element in elements)


def _range(node: ast.AST) -> range | None:
    """The numbers of a range that is written out: as many variants."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "range":
        return None
    try:
        return range(*(ast.literal_eval(argument) for argument in node.args))
    except (ValueError, TypeError):
        return None  # of something that is not written here


def read_recorded(root: Path) -> dict[str, int]:
    """The record, empty if nothing was ever recorded."""
    return read_record(root / FILE, "tables of variants", int)


def write_recorded(root: Path) -> int:
    """Records the tables as they are now; how many there are."""
    sizes = _sizes(read_tables(root))
    write_record(root / FILE, sizes)
    return len(sizes)


def _sizes(tables: list[Table]) -> dict[str, int]:
    """The sizes by key; two tables of one name (two loops of a function) are counted as one."""
    sizes: dict[str, int] = {}
    for table in tables:
        sizes[table.key] = sizes.get(table.key, 0) + table.size
    return sizes


def smaller_tables(tables: list[Table], recorded: Mapping[str, int]) -> list[Smaller]:
    """The tables that have become smaller since they were recorded, or are gone."""
    sizes = _sizes(tables)
    lines = {table.key: table.line for table in reversed(tables)}
    found = []
    for key, before in recorded.items():
        now = sizes.get(key, 0)
        if now < before:
            file, _, name = key.partition(" ")
            found.append(Smaller(file, lines.get(key, 1), name, before, now))
    return found


def larger_tables(tables: list[Table], recorded: Mapping[str, int]) -> list[Table]:
    """The tables that are new or have grown since: a loss of what is new would not be noticed."""
    sizes = _sizes(tables)
    once = {table.key: table for table in reversed(tables)}
    return [table for key, table in once.items() if sizes[key] > recorded.get(key, 0)]


def reasons_by_scenario_file(root: Path) -> dict[str, str]:
    """Why the scenarios of a file prove less than they did: a table there, or in steps they use."""
    smaller: dict[str, str] = {}
    for table in smaller_tables(read_tables(root), read_recorded(root)):
        smaller.setdefault(table.file, f"{table.file}: {table}")
    if not smaller:
        return {}
    used: dict[str, set[str]] = {}
    reasons = {}
    for path in sorted((root / "scenarios").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        for each in sorted({file, *_steps_used(path, root, used)}):
            if each in smaller:
                reasons[file] = smaller[each]
                break
    return reasons


def _steps_used(path: Path, root: Path, known: dict[str, set[str]]) -> set[str]:
    """The files of steps that a file imports, and those that these import."""
    key = path.relative_to(root).as_posix()
    if key in known:
        return known[key]
    known[key] = used = set()
    for from_module, from_package in STEPS.findall(path.read_text(encoding="utf-8")):
        imported = root / "steps" / f"{from_module or from_package}.py"
        if imported.exists():
            used |= {imported.relative_to(root).as_posix(), *_steps_used(imported, root, known)}
    return used
