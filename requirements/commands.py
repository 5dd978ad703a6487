"""The commands `check`, `compile` and `accept`: what they do, what they print, how they exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from requirements.accepted import read_accepted, write_accepted
from requirements.blind_checks import read_blind_checks
from requirements.checker.diagnostics import Diagnostic, as_github, as_json, as_text, count
from requirements.checker.engine import check_documents, check_project, is_fatal, read_documents
from requirements.checker.registry import Acceptance, Marks, Project
from requirements.compiler.document import Document
from requirements.compiler.emit import emit
from requirements.compiler.files import ROOT, is_current, module_path, specification_files
from requirements.compiler.toc import with_toc
from requirements.earlier import FILE, author, read_earlier
from requirements.links import read_links
from requirements.records import RecordError
from requirements.variants import read_tables

OK, FAULTY, UNUSABLE = 0, 1, 2
LEAST_WORDS = 3  # of what was compared with what
# With these a module would be wrong or would lose a requirement; style does not stop a compilation.
COMPILE_RULES = frozenset(
    {
        "malformed-title",
        "second-title",
        "no-requirements",
        "malformed-name",
        "missing-version",
        "malformed-version",
        "duplicate-name",
        "duplicate-specification",
        "python-name",
        "field",
        "planned-state",
    }
)


def check(
    paths: Sequence[Path] | None = None,
    *,
    as_json_report: bool = False,
    strict: bool = False,
    root: Path = ROOT,
    marks: Callable[[], Marks] = Marks,
) -> int:
    """Checks given documents, or the project's specifications with their links, modules and marks.

    `marks` loads the scenarios and returns what they say; it is not called if they cannot be read.
    """
    files = list(paths) if paths else specification_files(root)
    if not files:
        return _refuse(f"no specification in {root / 'requirements'}")
    places, documents, diagnostics = read_documents(files, root)
    diagnostics += check_documents(documents)
    # Links are judged against readable specifications only; otherwise every one would be unknown.
    if not paths and not any(map(is_fatal, diagnostics)):
        try:
            accepted = read_accepted(root)
        except RecordError as error:
            return _refuse(f"{error}; restore the file from git")
        links = read_links(root)
        loaded = Marks() if links.problems else marks()
        tables = read_tables(root)
        blind = read_blind_checks(root, tables)
        project = Project(
            root, places, documents, links, accepted, tables, loaded, blind, read_earlier(root)
        )
        diagnostics += check_project(project)
    diagnostics.sort()
    _print(diagnostics, documents, as_json_report)
    if any(map(is_fatal, diagnostics)):
        return UNUSABLE
    return FAULTY if count(diagnostics, "error") or (strict and diagnostics) else OK


def compile_(*, check_only: bool = False, toc: bool = False, root: Path = ROOT) -> int:
    """Writes the module of every specification, or says which ones are not current."""
    files = specification_files(root)
    if not files:
        return _refuse(f"no specification in {root / 'requirements'}")
    try:
        if toc and not check_only:
            _rewrite_tocs(root)
        places, documents, diagnostics = read_documents(files, root)
        diagnostics += check_documents(
            documents, lambda rule: rule.fatal or rule.id in COMPILE_RULES
        )
        if diagnostics:
            _say("\n".join(map(as_text, diagnostics)))
            return UNUSABLE if any(map(is_fatal, diagnostics)) else FAULTY
        stale = [
            document
            for document in documents
            if not _write_module(document, places[document.file], check_only)
        ]
    except OSError as error:
        return _refuse(f"{error.filename} cannot be written: {error.strerror}")
    if check_only and stale:
        _say("hint: run `requirements compile` and commit what it writes")
        return FAULTY
    return OK


def _write_module(document: Document, path: Path, check_only: bool) -> bool:
    """Write a specification's module unless it is current; whether it was current."""
    module = module_path(path)
    if is_current(document, path):
        _say(f"{module.name}: current")
        return True
    if check_only:
        _say(f"{module.name}: not what {document.file} compiles to")
    else:
        module.write_text(emit(document.specification), encoding="utf-8", newline="\n")
        _say(f"{module.name}: written, {len(document.requirements)} requirements")
    return False


def accept(
    patterns: Sequence[str], *, reason: str, everything: bool = False, root: Path = ROOT
) -> int:
    """Records the present version and text of linked requirements as reviewed, and what was compared."""
    if len(reason.split()) < LEAST_WORDS:
        return _refuse("say what was compared with what: --reason 'read … again, … checks it'")
    if not patterns and not everything:
        return _refuse("name requirements (RQ.…, `*` allowed) or pass --all")
    _, documents, unreadable = read_documents(specification_files(root), root)
    if unreadable:
        _say("\n".join(map(as_text, unreadable)))
        return UNUSABLE
    try:
        _accept(patterns, reason, everything, documents, root)
    except RecordError as error:
        return _refuse(f"{error}; restore the file from git")
    except LookupError as error:
        return _refuse(str(error.args[0]))
    except OSError as error:
        return _refuse(f"{FILE.as_posix()} cannot be written: {error.strerror}")
    return OK


def _accept(
    patterns: Sequence[str],
    reason: str,
    everything: bool,
    documents: Sequence[Document],
    root: Path,
) -> None:
    before = read_accepted(root)
    known = {name: text for document in documents for name, text in document.by_name.items()}
    linked_names = {link.python_name for link in read_links(root).links}
    linked = {name for name, text in known.items() if text.python_name in linked_names}
    chosen = linked if everything else _chosen(patterns, known.keys(), linked)
    after = {name: entry for name, entry in before.items() if name in linked or not everything}
    by = author(root)
    for name in chosen:
        entry = Acceptance(
            known[name].version, known[name].content_hash, by, " ".join(reason.split())
        )
        if name not in before or before[name].text != entry.text:
            after[name] = entry
    write_accepted(root, after)
    changed = sum(before.get(name) != after.get(name) for name in before.keys() | after.keys())
    _say(f"{len(chosen)} accepted, {changed} changed in {FILE.as_posix()}")


def _chosen(patterns: Sequence[str], known: Iterable[str], linked: set[str]) -> set[str]:
    """The linked requirements that patterns name; LookupError if a pattern names none."""
    chosen: set[str] = set()
    for pattern in patterns:
        named = {name for name in known if fnmatchcase(name, pattern)}
        if not named & linked:
            reason = "no scenario verifies it" if named else "no such requirement"
            raise LookupError(f"{pattern}: {reason}, nothing to accept")
        chosen |= named & linked
    return chosen


def _rewrite_tocs(root: Path) -> None:
    places, documents, _ = read_documents(specification_files(root), root)
    for document in documents:
        path = places[document.file]
        text = with_toc(document)
        if text != "\n".join(document.lines):
            path.write_text(text, encoding="utf-8", newline="\n")
            _say(f"{path.name}: table of contents written")


def _print(
    diagnostics: Sequence[Diagnostic], documents: Sequence[Document], as_json_report: bool
) -> None:
    if as_json_report:
        _say(as_json(diagnostics))
        return
    lines = list(map(as_github, diagnostics)) if os.environ.get("GITHUB_ACTIONS") else []
    lines += map(as_text, diagnostics)
    errors = count(diagnostics, "error")
    requirements = sum(len(document.requirements) for document in documents)
    lines.append(
        f"{_counted(len(documents), 'specification')}, {_counted(requirements, 'requirement')}: "
        f"{_counted(errors, 'error')}, {_counted(len(diagnostics) - errors, 'warning')}"
    )
    _say("\n".join(lines))


def _say(text: str) -> None:
    """Prints; a reader that has seen enough (`| head`) is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # The interpreter flushes once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _refuse(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return UNUSABLE
