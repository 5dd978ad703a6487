"""Which scenarios use what changed since a commit: their own functions, steps, constants, requirements.

A module's top-level names are compared one by one, as syntax trees: comments and layout are no change. A name
uses the names in its text that its module defines or imports from a module followed here.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.scenario.scenario import Scenario

FOLLOWED = ("scenarios", "steps", "requirements", "pipelines")
"""Changes of other folders (helpers/, configs/) concern every scenario: these are counted, not followed."""

Name = tuple[str, str]
"""A module and a top-level name in it."""


@dataclass(frozen=True)
class Changes:
    """The scenarios that use something that changed, each with what, and the other files that changed."""

    scenarios: Mapping[str, Sequence[str]]
    files: Sequence[str]
    others: Sequence[str]


def since(base: str, scenarios: Iterable[Scenario], root: Path = ROOT) -> Changes:
    """What changed between a commit and the files as they are now."""
    # Git would take a name that begins with a dash for one of its options.
    base = _git(root, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").strip()
    listed = _git(root, "diff", "--name-only", base).splitlines()
    listed += _git(root, "ls-files", "--others", "--exclude-standard").splitlines()
    code = [name for name in listed if name.endswith(".py") and name.startswith(FOLLOWED)]
    sources = Sources(root)
    changed = {
        change for name in code for change in sources.changed(name, _before(root, base, name))
    }
    reasons = {
        scenario.name: sorted(
            f"{module}.{name}"
            for module, name in sources.used_by(sources.entry(scenario)) & changed
        )
        for scenario in scenarios
    }
    others = [
        name for name in listed if name not in code and not name.startswith(("docs", "tests"))
    ]
    return Changes({name: why for name, why in reasons.items() if why}, code, others)


class Sources:
    """The modules of a checkout, parsed when they are asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tops: dict[str, dict[str, ast.stmt]] = {}
        self._used: dict[Name, list[Name]] = {}
        self._digests: dict[Name, str] = {}

    def changed(self, file: str, before: str) -> Iterator[Name]:
        """The top-level names of a file that are not what they were."""
        module = _module(Path(file))
        old = {name: ast.dump(node) for name, node in _tops(before).items()}
        for name, node in self._names(module).items():
            if old.get(name) != ast.dump(node):
                yield module, name

    def used_by(self, start: Name) -> set[Name]:
        """A name and all that it uses, directly or not."""
        found: set[Name] = set()
        left = [start]
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                if name not in self._used:
                    self._used[name] = self._uses(*name)
                left += self._used[name]
        return found

    def digests(self, scenario: Scenario) -> dict[str, str]:
        """For each module of scenarios and steps, a digest of what the scenario uses there."""
        file = self._root / scenario.file
        if not file.is_relative_to(self._root):  # --scenarios with a folder elsewhere
            return {scenario.topic: _short_hash(file.read_text("utf-8"))}
        used: dict[str, list[str]] = {}
        for name in self.used_by(self.entry(scenario)):
            if name[0].startswith(("scenarios.", "steps.")) and self.node(*name):
                used.setdefault(name[0], []).append(self._digest(name))
        return {module: _short_hash("".join(sorted(texts))) for module, texts in used.items()}

    def _digest(self, name: Name) -> str:
        if name not in self._digests:
            node = self.node(*name)
            assert node is not None, "it was asked for"
            self._digests[name] = _short_hash(f"{name[1]}: {ast.dump(node)}")
        return self._digests[name]

    def node(self, module: str, name: str) -> ast.stmt | None:
        """The statement that gives a top-level name its meaning."""
        return self._names(module).get(name)

    def entry(self, scenario: Scenario) -> Name:
        """The function of a scenario, or the outline that it is a row of."""
        module = _module((self._root / scenario.file).relative_to(self._root))
        for name, node in self._names(module).items():
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                if first <= scenario.line <= (node.end_lineno or node.lineno):
                    return module, name
        return module, scenario.title

    def _uses(self, module: str, name: str) -> list[Name]:
        tops = self._names(module)
        node = tops.get(name)
        if node is None:
            return []
        if isinstance(node, ast.ImportFrom):
            return [(node.module or "", node.names[0].name)] if _followed(node.module) else []
        words = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        inner = [each for each in ast.walk(node) if isinstance(each, ast.ImportFrom)]
        uses = [(module, word) for word in words if word in tops and word != name]
        uses += [
            (each.module or "", alias.name)
            for each in inner
            if _followed(each.module)
            for alias in each.names
        ]
        # What a file says for all of its scenarios: NEEDS, DEVIATIONS.
        return uses + [(module, mark) for mark in ("NEEDS", "DEVIATIONS") if mark in tops]

    def _names(self, module: str) -> dict[str, ast.stmt]:
        if module not in self._tops:
            path = self._root.joinpath(*module.split("."))
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            self._tops[module] = _tops(file.read_text("utf-8") if file.exists() else "")
        return self._tops[module]


def digests_of(
    scenarios: Mapping[str, Scenario], root: Path = ROOT
) -> dict[str, Mapping[str, str]]:
    """The digests of each scenario, by its name; none of one whose files cannot be read any more."""
    sources = Sources(root)
    found: dict[str, Mapping[str, str]] = {}
    for name, scenario in scenarios.items():
        found[name] = {}
        with contextlib.suppress(OSError, SyntaxError, ValueError):  # edited while the run went on
            found[name] = sources.digests(scenario)
    return found


def _tops(text: str) -> dict[str, ast.stmt]:
    """The top-level names of a module and what gives them their meaning."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:  # each by itself: another one in the list is no change of it
                alone = ast.ImportFrom(node.module, [alias], node.level)
                found[alias.asname or alias.name] = alone
        else:
            targets = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
            found |= {each.id: node for each in targets if isinstance(each.ctx, ast.Store)}
    return found


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]


def _followed(module: str | None) -> bool:
    return (module or "").partition(".")[0] in FOLLOWED


def _module(file: Path) -> str:
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _before(root: Path, base: str, file: str) -> str:
    """The text of a file at a commit; empty if it was not there."""
    there = _git(root, "ls-tree", "--name-only", base, "--", file)
    return _git(root, "show", f"{base}:{file}") if there else ""


@functools.cache
def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["git failed"])[0]
        raise UsageError(f"--base: {reason} (git {arguments[0]})")
    return done.stdout
