"""Specifications, scenarios and accepted texts of the working tree, or specifications of a commit.

A run reads the compiled specifications. The Markdown parser is imported for a commit only.
"""

import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.report.since_base import Wording
from helpers.report.states import requirement_states
from helpers.scenario.result import RequirementState, ScenarioResult
from helpers.scenario.scenario import Scenario
from requirements.accepted import read_accepted
from requirements.compiler.compiled import read_compiled
from requirements.compiler.source import UnreadableError, decode
from requirements.compiler.specification import Specification
from requirements.records import RecordError


@dataclass(frozen=True)
class Tree:
    """What is required, which scenarios verify it, and which texts were accepted, at one moment."""

    specifications: list[Specification]
    scenarios: Sequence[Scenario]
    accepted: dict[str, tuple[str, str]]

    @property
    def requirements(self) -> list[str]:
        """The names of all requirements."""
        return [text.name for document in self.specifications for text in document.requirements]

    def states(self, results: Iterable[ScenarioResult]) -> list[RequirementState]:
        """The states of the requirements, given these results."""
        return requirement_states(self.specifications, self.scenarios, results, self.accepted)


def read_tree(scenarios: Sequence[Scenario], root: Path = ROOT) -> Tree:
    """Read the working tree. A run does so first, so that edits during the run have no effect on it."""
    try:
        accepted = read_accepted(root)
    except RecordError as error:
        raise UsageError(f"{error}; restore the file from git") from None
    texts = {name: entry.text for name, entry in accepted.items()}
    return Tree(specifications(root), scenarios, texts)


def specifications(root: Path) -> list[Specification]:
    """The compiled specifications in the tree."""
    documents = read_compiled(root)
    if not documents:
        raise UsageError(
            f"there are no compiled specifications in {root / 'requirements'}; "
            "./regression.py requirements compile makes them"
        )
    return documents


def wordings(documents: Iterable[Specification]) -> dict[str, Wording]:
    """The requirements of these specifications, for a comparison."""
    return {
        text.name: Wording(text.version, text.content_hash)
        for specification in documents
        for text in specification.requirements
    }


def specifications_at(reference: str, root: Path = ROOT) -> list[Specification]:
    """The specifications as they were at a commit, read without touching the working tree."""
    from requirements.compiler.parse import parse

    known = _git(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", reference + "^{commit}"
    )
    if known is None:
        raise UsageError(
            f"{reference}: is neither a results.json nor a commit of this repository; "
            "name a file that exists, or a branch, tag or commit"
        )
    commit = known.decode().strip()
    listed = _git(root, "ls-tree", "--name-only", "-z", commit, "requirements/") or b""
    documents = []
    for file in sorted(filter(None, listed.decode().split("\0"))):
        if Path(file).match("srs*.md"):
            try:
                documents.append(parse(decode(_git(root, "show", f"{commit}:{file}") or b""), file))
            except UnreadableError as error:
                raise UsageError(f"{file} at {reference} cannot be read: {error.message}") from None
    if not documents:
        raise UsageError(f"{reference}: has no specifications in requirements/ to compare with")
    return [document.specification for document in documents]


def _git(root: Path, *arguments: str) -> bytes | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise UsageError("git is not installed, so a commit cannot be compared with") from None
    return done.stdout if done.returncode == 0 else None
