"""Links read from source: which functions are scenarios, what they are called, what they verify."""

from __future__ import annotations

from pathlib import Path

from requirements.links import read_links

SOURCE = """\
from testflows.core import *
import requirements.srs900_example as srs900


@TestScenario
@Requirements(srs900.RQ_A("1.0"), RQ_B("1.0", "1.1"))
def plain_name(self):
    @TestScenario
    def inner(self):
        pass


@TestOutline(Scenario)
@Requirements(RQ_C("1.0"))
@Examples("size", [(1,), (2,)])
@Name("another name")
def outlined(self, size):
    pass


@TestOutline
def body_for_others(self, size):
    pass


@TestStep(Given)
def step(self):
    pass


@TestCheck
@Requirements(*MANY)
def checked(self):
    pass


raise RuntimeError("reading must not run this")
"""


def write(root: Path, place: str, text: str = SOURCE) -> None:
    path = root / "scenarios" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_scenarios_and_their_names(tmp_path: Path) -> None:
    write(tmp_path, "replace_partition/keep_data.py")
    scenarios = read_links(tmp_path).scenarios
    assert [(s.name, s.line, s.function) for s in scenarios] == [
        ("/replace partition/keep data/plain name", 7, "plain_name"),
        ("/replace partition/keep data/another name", 17, "outlined"),
        ("/replace partition/keep data/checked", 33, "checked"),
    ]


def test_links_with_version_and_place(tmp_path: Path) -> None:
    write(tmp_path, "replace_partition/keep_data.py")
    links = read_links(tmp_path).links
    assert [(k.python_name, k.version, k.line, k.column) for k in links] == [
        ("RQ_A", "1.0", 6, 15),
        ("RQ_B", "1.0", 6, 35),
        ("RQ_B", "1.1", 6, 35),
        ("RQ_C", "1.0", 14, 15),
    ]
    assert {k.scenario for k in links[:3]} == {"/replace partition/keep data/plain name"}


def test_a_link_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, "replace_partition/keep_data.py")
    assert [(p.line, p.column) for p in read_links(tmp_path).problems] == [(32, 15)]


def test_what_is_not_loaded_links_nothing(tmp_path: Path) -> None:
    write(tmp_path, "replace_partition/_helpers.py")
    links = read_links(tmp_path)
    assert len(links.scenarios) == 3 and links.links == () and links.topics == ()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path, "a/broken.py", "def f(:\n")
    write(tmp_path, "a/nul.py", "x = '\0'\n")
    (tmp_path / "scenarios/a/binary.py").write_bytes(b"\xff\xfe\xfa")
    assert sorted(p.file for p in read_links(tmp_path).problems) == [
        "scenarios/a/binary.py",
        "scenarios/a/broken.py",
        "scenarios/a/nul.py",
    ]


def test_a_project_without_scenarios(tmp_path: Path) -> None:
    assert read_links(tmp_path) == ((), (), ())
