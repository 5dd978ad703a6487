"""The assertions of scenarios and steps: which ones a scenario reaches, and at which one it ends.

A sensitivity run loads scenarios and steps with two calls added to each assertion, which say that it was
reached, and let one assertion at a time be switched off. An assertion is

- an `assert` statement,
- a call of `assert_no_violations`,
- a `Then` (with its `And` and `But`) that has neither and leaves all to the verbs it calls.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import Any

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.interception import STEPS
from helpers.scenario.violations import Violations
from helpers.scenario.waiting import NeverTrue

NAME = "__assertions__"
COLLECTED = "assert_no_violations"
REASON = re.compile(r"#\s*no mutant: (\S.*)")
KINDS = ("Given", "When", "Then")
LONGEST_TEXT = 120


@dataclass(frozen=True)
class Assertion:
    """An assertion in the source; `reason` says why no mutant can end there."""

    place: str
    first: int
    last: int
    text: str
    reason: str = ""
    is_step: bool = False


class Assertions:
    """The assertions of the modules that are loaded, and what became of them in the running scenario."""

    def __init__(self) -> None:
        self._files: dict[str, list[Assertion]] = {}
        self.start()

    def start(self, switched_off: str | None = None) -> None:
        """A scenario begins; one assertion can be switched off."""
        self._off = switched_off
        self._reached: dict[str, None] = {}

    def load(self, file: str, assertions: list[Assertion]) -> None:
        self._files[file] = assertions

    def enter(self, place: str) -> bool:
        """An assertion is reached."""
        self._reached[place] = None
        return True

    def is_off(self, place: str) -> bool:
        return self._off == place

    def violations(self, place: str, check: Callable[..., Any]) -> Callable[..., Any]:
        """The same check, which passes where it is switched off."""
        self.enter(place)

        def checked(*arguments: Any, **options: Any) -> Any:
            try:
                return check(*arguments, **options)
            except Violations:
                if not self.is_off(place):
                    raise

        return checked

    def reached(self) -> tuple[dict[str, Any], ...]:
        """What was reached, in this order; a step cannot be switched off."""
        known = {each.place: each for file in self._files.values() for each in file}
        return tuple(
            {
                "place": place,
                "text": known[place].text,
                "reason": known[place].reason,
                "is_step": known[place].is_step,
            }
            for place in self._reached
        )

    def ended(self, error: BaseException | None) -> tuple[str, ...]:
        """The assertion that an error comes from, and the step without one of its own around it."""
        last_error = error.last_error if isinstance(error, NeverTrue) else None
        found: list[Assertion] = []
        for each in (error, last_error):
            if each is not None:
                found += self._on_the_way(each.__traceback__)
        steps = [each.place for each in found if each.is_step]
        own = [each.place for each in found if not each.is_step]
        refused = isinstance(last_error or error, QueryFailed)
        ends = own[-1:] if isinstance(error, AssertionError) and not refused else []
        return tuple(dict.fromkeys([*ends, *steps]))

    def _on_the_way(self, traceback: TracebackType | None) -> Iterator[Assertion]:
        """The assertions that the frames of a traceback stand in, outermost first. What an assertion
        calls may be wrong without the assertion: only the innermost frame of our own code counts."""
        frames = []
        while traceback is not None:
            file = traceback.tb_frame.f_code.co_filename
            if file in self._files:
                frames.append((file, traceback.tb_lineno))
            traceback = traceback.tb_next
        for index, (file, line) in enumerate(frames):
            for each in self._files[file]:
                if each.first <= line <= each.last and (each.is_step or index == len(frames) - 1):
                    yield each


ASSERTIONS = Assertions()


def assertions_in(tree: ast.Module, file: str, lines: Sequence[str]) -> list[Assertion]:
    """The assertions of a file, in the order of its lines."""
    found = [
        _assertion(node, file, lines, is_step=isinstance(node, ast.With)) for node in _nodes(tree)
    ]
    return sorted(found, key=lambda each: each.first)


def instrument(tree: ast.Module, file: str) -> ast.Module:
    """Add the calls that say that an assertion is reached."""
    for node in _nodes(tree):
        place = f"{file}:{node.lineno}"
        if isinstance(node, ast.Assert):
            entered, off = _call("enter", place), _call("is_off", place)
            tested = ast.BoolOp(ast.And(), [entered, node.test])
            node.test = _located(ast.BoolOp(ast.Or(), [tested, off]), node.test)
        elif isinstance(node, ast.With):
            node.body.insert(0, _located(ast.Expr(_call("enter", place)), node.body[0]))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            check = _call("violations", place, node.value.func)
            node.value.func = _located(check, node.value.func)
    return tree


def install(packages: Sequence[str]) -> None:
    """From now on modules of these packages are loaded with their assertions followed."""
    sys.meta_path.insert(0, _Finder(tuple(packages)))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, packages: tuple[str, ...]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name.partition(".")[0] not in self.packages:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, str(spec.loader.path))
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        text = Path(self.path).read_text(encoding="utf-8")
        tree, file = ast.parse(text, self.path), f"{fullname.replace('.', '/')}.py"
        ASSERTIONS.load(self.path, assertions_in(tree, file, text.split("\n")))
        code: CodeType = compile(instrument(tree, file), self.path, "exec", dont_inherit=True)
        return code

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, NAME, ASSERTIONS)
        super().exec_module(module)


def _nodes(tree: ast.Module) -> list[ast.Assert | ast.Expr | ast.With]:
    """The statements that are assertions."""
    found: list[ast.Assert | ast.Expr | ast.With] = []
    for node in ast.walk(tree):
        if _is_own(node):
            assert isinstance(node, ast.Assert | ast.Expr)
            found.append(node)
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            found += _bare_steps(body) if isinstance(body, list) else []
    return found


def _bare_steps(body: Sequence[ast.stmt]) -> Iterator[ast.With]:
    """The checking steps of a block without an assertion in them; `And` continues the step before it."""
    kind = ""
    for node in body:
        called = _step(node)
        kind = called if called in KINDS else kind
        continues = called in ("And", "But") and kind == "Then"
        if (called == "Then" or continues) and not any(map(_is_own, ast.walk(node))):
            assert isinstance(node, ast.With)
            yield node


def _step(node: ast.stmt) -> str:
    """The kind of step that a block is; '' if it is none."""
    if not isinstance(node, ast.With) or not isinstance(node.items[0].context_expr, ast.Call):
        return ""
    return ast.unparse(node.items[0].context_expr.func)


def _is_own(node: ast.AST) -> bool:
    """Whether it is an assertion by itself."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return isinstance(node.value.func, ast.Name) and node.value.func.id == COLLECTED
    return isinstance(node, ast.Assert)


def _assertion(
    node: ast.Assert | ast.Expr | ast.With, file: str, lines: Sequence[str], *, is_step: bool
) -> Assertion:
    shown: ast.AST = node.items[0].context_expr if isinstance(node, ast.With) else node
    text = ast.unparse(shown).removesuffix(", error()")
    last = node.end_lineno or node.lineno
    header = node.body[0].lineno - 1 if isinstance(node, ast.With) else last
    above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
    beside = [above if above.startswith("#") else "", *lines[node.lineno - 1 : header]]
    reason = REASON.search("\n".join(beside))
    return Assertion(
        place=f"{file}:{node.lineno}",
        first=node.lineno,
        last=last,
        text=text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …",
        reason=reason[1].strip() if reason else "",
        is_step=is_step,
    )


def _call(method: str, place: str, *arguments: ast.expr) -> ast.expr:
    followed = ast.Attribute(ast.Name(NAME, ast.Load()), method, ast.Load())
    return ast.Call(followed, [ast.Constant(place), *arguments], [])


def _located(node: Any, at: ast.AST) -> Any:
    """The new node with its parts where another one stands."""
    return ast.fix_missing_locations(ast.copy_location(node, at))


def packages_of(scenarios: Path) -> tuple[str, str]:
    """The packages whose assertions count: the folder of scenarios, and the steps."""
    return scenarios.name, STEPS
