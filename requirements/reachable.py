"""The texts that a scenario's code can reach, in itself and in the steps it uses, read without running it.

Everything a function mentions counts as used, so nothing that it sends is missed. The reverse does not hold:
a text may stand in a step that is used in another way, or in a branch that is never taken.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from requirements.links import parsed

# What these say is for readers: no statement is made of it.
PROSE = frozenset({"Given", "When", "Then", "And", "But", "By", "Finally", "note", "error"})
MARKS = frozenset({"deviates", "equivalent", "Requirements", "Name", "TestScenario", "TestOutline"})
OWN = ("scenarios", "steps")
Place = tuple[str, str]
"""A module and a name in it."""


@dataclass
class _Module:
    """The top level of a file: what each name stands for."""

    definitions: dict[str, list[ast.AST]] = field(default_factory=dict)
    imports: dict[str, Place] = field(default_factory=dict)


class Reachable:
    """Reads the code of a project on demand."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._module = cache(self._read)
        self._found = cache(self._of_definition)

    def texts(self, file: str, function: str) -> frozenset[str]:
        """All texts that a function of a file can use, and the modules of others that it uses."""
        start = (file.removesuffix(".py").replace("/", "."), function)
        seen, open_, texts = {start}, [start], set[str]()
        while open_:
            own, uses = self._found(*open_.pop())
            texts |= own
            open_ += uses - seen
            seen |= uses
        return frozenset(texts)

    def _read(self, name: str) -> _Module | None:
        path = self._root / name.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if not name.startswith(OWN) or not path.exists():
            return None
        module = _Module()
        for node in parsed(path).body:
            for defined in _names(node):
                module.definitions.setdefault(defined, []).append(node)
        for each in ast.walk(parsed(path)):
            module.imports |= _imported(each, name)
        return module

    def _of_definition(
        self, module_name: str, name: str
    ) -> tuple[frozenset[str], frozenset[Place]]:
        module = self._module(module_name)
        texts, uses = set[str](), set[Place]()
        nodes = module.definitions.get(name, []) if module else []
        for node in (each for definition in nodes for each in _walk(definition)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            elif isinstance(node, ast.Name) and module:
                uses |= self._resolved(module_name, module, node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and module:
                for place in self._resolved(module_name, module, node.value.id):
                    uses |= self._member(place, node.attr)
        if not nodes:  # a module as a whole, or something of another package
            texts.add(f"{module_name}.{name}")
        return frozenset(texts), frozenset(uses)

    def _resolved(self, name: str, module: _Module, used: str) -> set[Place]:
        if used in module.definitions:
            return {(name, used)}
        return {module.imports[used]} if used in module.imports else set()

    def _member(self, place: Place, attribute: str) -> set[Place]:
        """What `module.attribute` stands for, where the name before the dot is a module."""
        module = ".".join(filter(None, place))
        return {(module, attribute)} if self._module(module) else set()


def _names(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    for target in targets:
        yield from (
            each.id for each in ast.walk(target or ast.Pass()) if isinstance(each, ast.Name)
        )


def _imported(node: ast.AST, inside: str) -> dict[str, Place]:
    if isinstance(node, ast.Import):
        return {each.asname or each.name.partition(".")[0]: (each.name, "") for each in node.names}
    if not isinstance(node, ast.ImportFrom):
        return {}
    above = inside.split(".")[: -node.level] if node.level else []
    module = ".".join([*above, *filter(None, [node.module])])
    return {each.asname or each.name: (module, each.name) for each in node.names}


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is in it, without docstrings, texts of steps and marks."""
    if isinstance(node, ast.Call) and _called(node) in PROSE | MARKS:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if not docstring:
            yield from _walk(child)


def _called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))
