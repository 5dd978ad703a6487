"""The commands `check`, `compile` and `accept`: what they do, what they print, how they exit."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from requirements.accepted import FILE, AcceptedFileError, read_accepted, write_accepted
from requirements.checker.diagnostics import Diagnostic, as_github, as_json, as_text, count
from requirements.checker.engine import check_documents, check_project, is_fatal, read_documents
from requirements.checker.registry import Acceptance, Project
from requirements.compiler.document import Document
from requirements.compiler.emit import emit
from requirements.compiler.project import ROOT, module_path, specification_files
from requirements.compiler.toc import with_toc
from requirements.links import read_links

OK, FAULTY, UNUSABLE = 0, 1, 2
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
) -> int:
    """Checks given documents, or the project's specifications with their links and modules."""
    files = list(paths) if paths else specification_files(root)
    if not files:
        return _refuse(f"no specification in {root / 'requirements'}")
    places, documents, found = read_documents(files, root)
    found += check_documents(documents)
    # Links are judged against readable specifications only; otherwise every one would be unknown.
    if not paths and not any(map(is_fatal, found)):
        try:
            accepted = read_accepted(root)
        except AcceptedFileError as error:
            return _refuse(f"{error}; restore the file from git")
        found += check_project(Project(root, places, documents, read_links(root), accepted))
    found.sort()
    _print(found, documents, as_json_report)
    if any(map(is_fatal, found)):
        return UNUSABLE
    return FAULTY if count(found, "error") or (strict and found) else OK


def compile_(
    *, check_only: bool = False, toc: bool = False, root: Path = ROOT, quiet: bool = False
) -> int:
    """Writes the module of every specification, or says which ones are not current."""
    if toc and not check_only:
        _rewrite_tocs(root)
    files = specification_files(root)
    if not files:
        return _refuse(f"no specification in {root / 'requirements'}")
    places, documents, found = read_documents(files, root)
    found += check_documents(documents, lambda rule: rule.fatal or rule.id in COMPILE_RULES)
    if found:
        _say("\n".join(map(as_text, found)))
        return UNUSABLE if any(map(is_fatal, found)) else FAULTY
    stale = 0
    for document in documents:
        module, code = module_path(places[document.file]), emit(document.specification)
        current = module.is_file() and module.read_bytes() == code.encode()
        stale += not current
        if current and not quiet:
            _say(f"{module.name}: current")
        elif check_only:
            _say(f"{module.name}: not what {document.file} compiles to")
        elif not current:
            module.write_text(code, encoding="utf-8", newline="\n")
            _say(f"{module.name}: written, {len(document.requirements)} requirements")
    if check_only and stale:
        _say("hint: run `requirements compile` and commit what it writes")
        return FAULTY
    return OK


def accept(patterns: Sequence[str], *, everything: bool = False, root: Path = ROOT) -> int:
    """Records the present version and text of linked requirements as reviewed."""
    if not patterns and not everything:
        return _refuse("name requirements (RQ.…, `*` allowed) or pass --all")
    _, documents, refused = read_documents(specification_files(root), root)
    if refused:
        _say("\n".join(map(as_text, refused)))
        return UNUSABLE
    try:
        before = read_accepted(root)
    except AcceptedFileError as error:
        return _refuse(f"{error}; restore the file from git")
    linked_names = {link.python_name for link in read_links(root).links}
    known = {r.name: r for document in documents for r in document.specification.requirements}
    linked = {name for name, each in known.items() if each.python_name in linked_names}
    chosen = set(linked) if everything else set()
    for pattern in patterns:
        named = {name for name in known if fnmatchcase(name, pattern)}
        if not named & linked:
            reason = "no scenario verifies it" if named else "no such requirement"
            return _refuse(f"{pattern}: {reason}, nothing to accept")
        chosen |= named & linked
    after = {name: entry for name, entry in before.items() if name in linked or not everything}
    for name in chosen:
        after[name] = Acceptance(known[name].version, known[name].content_hash)
    write_accepted(root, after)
    changed = sum(1 for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    _say(f"{len(chosen)} accepted, {changed} changed in {FILE.as_posix()}")
    return OK


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the commands to a parser; each sets `func`, which takes the arguments, returns the code."""
    checking = subparsers.add_parser(
        "check",
        help="find mistakes in specifications and in their links to scenarios",
        description="Without files: the project's specifications, the links of its scenarios and the "
        "generated modules. With files: these documents alone. No server is needed. "
        "Exit code 0: no errors, 1: errors, 2: a file is no specification.",
    )
    checking.add_argument(
        "files", nargs="*", type=Path, metavar="FILE.md", help="documents to check"
    )
    checking.add_argument("--json", action="store_true", help="print the findings as JSON")
    checking.add_argument("--strict", action="store_true", help="warnings fail, too")
    checking.set_defaults(
        func=lambda args: check(args.files, as_json_report=args.json, strict=args.strict)
    )
    compiling = subparsers.add_parser(
        "compile",
        help="write the Python module of every specification",
        description="requirements/srs….md becomes requirements/srs….py beside it: one TestFlows "
        'requirement each, to be named in @Requirements(RQ_…("1.0")).',
    )
    compiling.add_argument(
        "--check", action="store_true", help="write nothing, fail on a difference"
    )
    compiling.add_argument(
        "--toc", action="store_true", help="write the tables of contents anew first"
    )
    compiling.set_defaults(func=lambda args: compile_(check_only=args.check, toc=args.toc))
    accepting = subparsers.add_parser(
        "accept",
        help="record that scenarios were reviewed against their requirements",
        description="A later change of a requirement's text makes its links suspect until they are "
        "accepted again. The record is requirements/accepted.json; commit it.",
    )
    accepting.add_argument("names", nargs="*", metavar="RQ.…", help="names, `*` matches anything")
    accepting.add_argument("--all", action="store_true", help="every linked requirement")
    accepting.set_defaults(func=lambda args: accept(args.names, everything=args.all))


def _rewrite_tocs(root: Path) -> None:
    places, documents, _ = read_documents(specification_files(root), root)
    for document in documents:
        path = places[document.file]
        text = with_toc(document)
        if text != "\n".join(document.lines):
            path.write_text(text, encoding="utf-8", newline="\n")
            _say(f"{path.name}: table of contents written")


def _print(
    found: Sequence[Diagnostic], documents: Sequence[Document], as_json_report: bool
) -> None:
    if as_json_report:
        _say(as_json(found))
        return
    lines = list(map(as_github, found)) if os.environ.get("GITHUB_ACTIONS") else []
    lines += map(as_text, found)
    errors = count(found, "error")
    requirements = sum(len(document.requirements) for document in documents)
    lines.append(
        f"{_counted(len(documents), 'specification')}, {_counted(requirements, 'requirement')}: "
        f"{_counted(errors, 'error')}, {_counted(len(found) - errors, 'warning')}"
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
