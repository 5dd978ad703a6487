"""The project's own specifications: no rule broken, modules current, imports as scenarios write them."""

from __future__ import annotations

import importlib
import re
from collections import Counter

import pytest

from requirements.checker.engine import check_documents, read_documents
from requirements.compiler.compiled import read_compiled
from requirements.compiler.files import (
    ROOT,
    is_current,
    module_path,
    read_specifications,
    specification_files,
)
from tests.requirements.documents import assert_same

FILES = specification_files()


def test_there_are_specifications() -> None:
    assert len(FILES) >= 5


def test_a_run_reads_what_the_documents_say() -> None:
    for written, compiled in zip(read_specifications(), read_compiled(ROOT), strict=True):
        assert compiled == written


def test_a_specification_says_for_all_its_requirements_where_they_come_from() -> None:
    origins = {
        each.id: {text.origin for text in each.requirements} for each in read_specifications()
    }
    assert origins["SRS-015"] == origins["SRS-032"] == origins["SRS-045"] == {"", "ours"}
    assert origins["SRS-101"] == origins["SRS-102"] == {"ours"}


def test_the_readme_counts_the_requirements() -> None:
    rows = re.findall(r"^\| \[(SRS-\d+) .*?\| (.*?) \|", (ROOT / "README.md").read_text(), re.M)
    stated = {name: [int(number) for number in re.findall(r"\d+", text)] for name, text in rows}
    counts = {
        each.id: Counter(text.origin for text in each.requirements)
        for each in read_specifications()
    }
    assert stated == {
        name: [count[origin] for origin in ("", "ours") if count[origin]]
        for name, count in counts.items()
    }


def test_no_specification_breaks_a_rule() -> None:
    _, documents, refused = read_documents(FILES, ROOT)
    diagnostics = refused + check_documents(documents)
    assert [(d.file, d.line, d.rule, d.message) for d in diagnostics] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_module_is_current_and_names_every_requirement(path: object) -> None:
    places, documents, _ = read_documents([p for p in FILES if p == path], ROOT)
    (document,) = documents
    assert is_current(document, places[document.file])
    module = importlib.import_module(f"requirements.{module_path(places[document.file]).stem}")
    specification = document.specification
    assert_same(getattr(module, specification.python_name), specification)
    for requirement in specification.requirements:
        named = getattr(module, requirement.python_name)(requirement.version)
        assert (named.name, named.description) == (requirement.name, requirement.text)
