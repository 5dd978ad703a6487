"""What is kept of specifications and links is used until one of the files changes, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.report import tree_cache
from helpers.report.project import read_tree

SPECIFICATION = """\
# SRS-900 Example

## RQ.SRS-900.A
version: 1.0

{text}
"""
SCENARIO = """\
@TestScenario
@Requirements(RQ_SRS_900_A("{version}"))
def one(self):
    pass
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tree_cache, "cache_folder", lambda: tmp_path / "cache")
    for folder in ("requirements", "scenarios/feature"):
        (tmp_path / "project" / folder).mkdir(parents=True)
    (tmp_path / "project/requirements/srs900.md").write_text(SPECIFICATION.format(text="First."))
    (tmp_path / "project/scenarios/feature/topic.py").write_text(SCENARIO.format(version="1.0"))
    return tmp_path / "project"


def test_what_is_kept_is_what_was_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_tree(root)
    assert [link.version for link in first.links] == ["1.0"]
    assert first.requirements == ["RQ.SRS-900.A"]
    monkeypatch.setattr("helpers.report.project.read_links", None)  # nobody reads again
    assert read_tree(root) == first


def test_a_changed_specification_is_read(root: Path) -> None:
    read_tree(root)
    (root / "requirements/srs900.md").write_text(SPECIFICATION.format(text="Other."))
    (text,) = read_tree(root).specifications[0].requirements
    assert text.text.strip() == "Other."


def test_a_changed_link_is_read(root: Path) -> None:
    read_tree(root)
    (root / "scenarios/feature/topic.py").write_text(SCENARIO.format(version="2.0"))
    assert [link.version for link in read_tree(root).links] == ["2.0"]


def test_a_renamed_file_is_read(root: Path) -> None:
    read_tree(root)
    (root / "scenarios/feature/topic.py").rename(root / "scenarios/feature/other.py")
    assert [link.scenario for link in read_tree(root).links] == ["/feature/other/one"]


@pytest.mark.parametrize("content", [b"", b"no pickle", b"\x80\x04"])
def test_a_broken_file_is_read_anew(root: Path, content: bytes) -> None:
    first = read_tree(root)
    (file,) = (root.parent / "cache").iterdir()
    file.write_bytes(content)
    assert read_tree(root) == first


def test_a_folder_that_cannot_be_written_is_no_failure(root: Path) -> None:
    (root.parent / "cache").write_text("a file, no folder")
    assert read_tree(root).requirements == ["RQ.SRS-900.A"]


def test_copies_that_are_gone_do_not_fill_the_cache(root: Path) -> None:
    folder = root.parent / "cache"
    folder.mkdir()
    for number in range(2 * tree_cache.MOST):
        (folder / f"{tree_cache.PREFIX}{number}.pickle").write_bytes(b"")
    read_tree(root)
    assert len(list(folder.iterdir())) == tree_cache.MOST
