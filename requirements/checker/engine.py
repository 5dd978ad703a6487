"""Runs the rules over documents, or over the project with its links, and sorts what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

# Importing a module of rules registers them.
from requirements.checker import (  # noqa: F401
    contents,
    examples,
    marks,
    names,
    obligations,
    references,
    spelling,
    statements,
    structure,
    traceability,
    wording,
)
from requirements.checker.diagnostics import Diagnostic
from requirements.checker.registry import (
    CORPUS_CHECKS,
    DOCUMENT_CHECKS,
    PROJECT_CHECKS,
    RULES,
    Finding,
    Project,
    Rule,
)
from requirements.compiler.document import Document
from requirements.compiler.files import read_document, shown_path
from requirements.compiler.source import UnreadableError


def read_documents(
    paths: Iterable[Path], root: Path
) -> tuple[dict[str, Path], list[Document], list[Diagnostic]]:
    """Parses what can be read; what cannot becomes a diagnostic."""
    places: dict[str, Path] = {}
    documents: list[Document] = []
    refused: list[Diagnostic] = []
    for path in paths:
        file = shown_path(path, root)
        try:
            documents.append(read_document(path, root))
            places[file] = path
        except UnreadableError as error:
            finding = Finding(file, error.line, error.column, error.message)
            refused.append(_diagnostic(error.rule, finding, ""))
    return places, documents, refused


def check_documents(
    documents: Sequence[Document], only: Callable[[Rule], bool] = lambda rule: True
) -> list[Diagnostic]:
    """What the rules (or those `only` chooses) find in documents alone."""
    sources = {document.file: document.lines for document in documents}
    diagnostics: list[Diagnostic] = []
    for document in documents:
        for id, check in DOCUMENT_CHECKS.items():
            if only(RULES[id]):
                diagnostics += _diagnostics(id, check(document), sources)
    for id, compare in CORPUS_CHECKS.items():
        if only(RULES[id]):
            diagnostics += _diagnostics(id, compare(documents), sources)
    return sorted(diagnostics)


def check_project(project: Project) -> list[Diagnostic]:
    """What the rules find in links, acceptances and generated modules."""
    sources = {document.file: document.lines for document in project.documents}
    diagnostics: list[Diagnostic] = []
    for id, check in PROJECT_CHECKS.items():
        diagnostics += _diagnostics(id, check(project), sources, project.root)
    return sorted(diagnostics)


def is_fatal(diagnostic: Diagnostic) -> bool:
    """Whether a finding means that a document cannot be read as a specification."""
    return RULES[diagnostic.rule].fatal


def _diagnostics(
    id: str, findings: Iterator[Finding], sources: dict[str, list[str]], root: Path | None = None
) -> Iterator[Diagnostic]:
    """Findings with the line that they point to; files below `root` are read if it is not known."""
    for finding in findings:
        if root and finding.file not in sources and (root / finding.file).is_file():
            text = (root / finding.file).read_text("utf-8", "replace")
            sources[finding.file] = text.split("\n")
        lines = sources.get(finding.file, [])
        source = lines[finding.line - 1] if 0 < finding.line <= len(lines) else ""
        yield _diagnostic(id, finding, source)


def _diagnostic(id: str, finding: Finding, source: str) -> Diagnostic:
    rule = RULES[id]
    return Diagnostic(
        finding.file,
        finding.line,
        finding.column,
        rule.id,
        rule.level,
        finding.message,
        finding.hint or rule.hint,
        source,
        finding.width,
    )
