"""The compiler: what it reads out of a document, what it writes, and that it writes it always."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from requirements.commands import compile_
from requirements.compiler.compiled import read_compiled
from requirements.compiler.emit import emit
from requirements.compiler.files import ROOT
from requirements.compiler.parse import parse
from requirements.compiler.specification import content_hash
from requirements.compiler.toc import with_toc
from tests.requirements.documents import GOOD, assert_same, make_project

TRICKY = '''\
# SRS-901 Tricky "Quotes" and Back\\\\slashes

state: planned
reason: a document made of traps,
wrapped over two lines

## Table of Contents

## Traps & Töne

<!--
### RQ.SRS-901.Commented
version: 1.0
-->

### RQ.SRS-901.Fence
version: 1.0

[ClickHouse] SHALL keep """ and \'\'\' and \\\\n apart, “quoted” und größer.

```sql
-- # no heading
### RQ.SRS-901.InFence
version: 9.9
```

> ### RQ.SRS-901.Quoted
> version: 9.9

### RQ.SRS-901.Table
version: 2.10
untested: a reason that is
wrapped as well

| a | SHALL b |
|---|---|
| "x" | `\\|` |

[ClickHouse]: https://clickhouse.com
'''


def load(root: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, root / "requirements" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_headings_of_the_document_itself_are_requirements() -> None:
    names = [r.name for r in parse(TRICKY, "srs901.md").specification.requirements]
    assert names == ["RQ.SRS-901.Fence", "RQ.SRS-901.Table"]


def test_what_a_requirement_knows() -> None:
    read = parse(GOOD, "requirements/srs900.md").specification.requirements[0]
    assert (read.name, read.version, read.python_name) == (
        "RQ.SRS-900.Example.Read",
        "1.0",
        "RQ_SRS_900_Example_Read",
    )
    assert (read.specification, read.heading_path, read.number) == ("SRS-900", ("Reading",), "2.1")
    assert (read.file, read.line, read.level) == ("requirements/srs900.md", 16, 3)
    assert read.text.startswith("[ClickHouse] SHALL return") and read.text.endswith("```")
    assert read.content_hash == content_hash(read.text)


def test_fields_may_be_wrapped_and_are_not_text() -> None:
    specification = parse(TRICKY, "srs901.md").specification
    assert specification.planned
    assert specification.reason == "a document made of traps, wrapped over two lines"
    table = specification.requirements[1]
    assert table.untested_reason == "a reason that is wrapped as well"
    assert table.text.startswith("| a | SHALL b |") and "[ClickHouse]:" not in table.text


def test_the_hash_sees_words_and_not_line_breaks_nor_versions() -> None:
    first = parse(GOOD, "a.md").specification.requirements[0].content_hash
    for old, new, same in [
        ("return the rows", "return\nthe  rows", True),
        ("version: 1.0", "version: 2.0", True),
        ("return the rows", "return no rows", False),
    ]:
        changed = parse(GOOD.replace(old, new), "a.md").specification.requirements[0].content_hash
        assert (changed == first) is same, (old, new)


def test_the_module_gives_testflows_objects_that_say_what_the_document_says(tmp_path: Path) -> None:
    module = load(make_project(tmp_path), "srs900_example")
    from testflows.core import Requirement, Requirements, Specification

    requirement = module.RQ_SRS_900_Example_Write("1.1")
    assert isinstance(requirement, Requirement)
    assert (requirement.name, requirement.version) == ("RQ.SRS-900.Example.Write", "1.1")
    assert (requirement.level, requirement.num) == (3, "2.2")
    with pytest.raises(Exception, match=r"version 1\.1"):
        module.RQ_SRS_900_Example_Write("1.0")
    assert isinstance(module.SRS_900, Specification)
    assert module.SRS_900.requirements == (module.RQ_SRS_900_Example_Read, requirement)
    assert Requirements(requirement)
    assert_same(module.SRS_900, parse(GOOD, "requirements/srs900_example.md").specification)


def test_quotes_backslashes_and_umlauts_survive(tmp_path: Path) -> None:
    module = load(make_project(tmp_path, TRICKY), "srs900_example")
    assert_same(module.SRS_901, parse(TRICKY, "requirements/srs900_example.md").specification)
    assert (
        "\"\"\" and ''' and \\\\n apart, “quoted” und größer" in module.RQ_SRS_901_Fence.description
    )


@pytest.mark.parametrize("text", [GOOD, TRICKY], ids=["good", "tricky"])
def test_a_run_reads_from_the_module_what_the_document_says(text: str, tmp_path: Path) -> None:
    written = parse(text, "requirements/srs900_example.md").specification
    assert read_compiled(make_project(tmp_path, text)) == [written]


def test_importing_a_module_does_not_start_testflows(tmp_path: Path) -> None:
    make_project(tmp_path)
    code = "import srs900_example, sys; print('testflows.core' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{tmp_path / 'requirements'}:{ROOT}"},
        check=True,
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("text", [GOOD, TRICKY], ids=["good", "tricky"])
def test_output_is_clean_and_the_same_every_time(text: str) -> None:
    first, second = (emit(parse(text, "requirements/x.md").specification) for _ in range(2))
    assert first == second
    ruff = [str(Path(sys.executable).with_name("ruff"))]
    for arguments in (["format", "--check"], ["check", "-q"]):
        done = subprocess.run(
            [*ruff, *arguments, "--stdin-filename", "requirements/srs900_x.py", "-"],
            input=first,
            text=True,
            capture_output=True,
            cwd=ROOT,
        )
        assert done.returncode == 0, done.stdout


def test_drift_is_noticed_and_compiling_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project(tmp_path)
    module = tmp_path / "requirements" / "srs900_example.py"
    assert compile_(check_only=True, root=tmp_path) == 0
    written = module.read_text()
    module.write_text(written.replace("1.1", "1.2"))
    assert compile_(check_only=True, root=tmp_path) == 1
    assert "srs900_example.py" in capsys.readouterr().out
    assert compile_(root=tmp_path) == 0
    assert module.read_text() == written
    module.unlink()
    assert compile_(check_only=True, root=tmp_path) == 1


def test_what_would_lose_a_requirement_is_not_compiled(tmp_path: Path) -> None:
    make_project(tmp_path)
    module = tmp_path / "requirements" / "srs900_example.py"
    before = module.read_bytes()
    for old, new, code in [
        ("version: 1.0\n", "", 1),
        ("Example.Write", "Example.Read", 1),
        ("example;\n```\n", "example;\n", 2),
    ]:
        (tmp_path / "requirements" / "srs900_example.md").write_text(GOOD.replace(old, new))
        assert compile_(root=tmp_path) == code, old
        assert module.read_bytes() == before


def test_the_table_of_contents_is_written_anew(tmp_path: Path) -> None:
    document = parse(GOOD, "a.md")
    assert with_toc(document) == GOOD
    without = GOOD[: GOOD.index("* 1 [")] + GOOD[GOOD.index("## Introduction") :]
    assert with_toc(parse(without, "a.md")) == GOOD
    make_project(tmp_path)
    path = tmp_path / "requirements" / "srs900_example.md"
    path.write_text(without)
    assert compile_(toc=True, root=tmp_path) == 0
    assert path.read_text() == GOOD


def test_anchors_and_numbers_of_repeated_and_skipped_headings() -> None:
    text = "# SRS-1 T\n\n## A b\n\n#### A b\n\n### A-b, c!\n\n## A b\n"
    headings = parse(text, "a.md").headings[1:]
    assert [h.anchor for h in headings] == ["a-b", "a-b-1", "a-b-c", "a-b-2"]
    assert [h.number for h in headings] == ["1", "1.1", "1.2", "2"]
