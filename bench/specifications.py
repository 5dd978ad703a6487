"""Compiling and checking specifications, side by side with `tfs requirements generate`.

Run it with the environment's Python: .venv/bin/python bench/specifications.py [FOLDER]
Both turn the same documents (the project's own, or those of FOLDER) into modules, in turn, so that
the noise of the machine meets both alike; `check`, which compiles as well and applies all rules,
is timed beside them. Then both get one document after another with a single defect, and the table
says who notices.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TFS = Path(sys.executable).with_name("tfs")
RUNS = 5
SECONDS_BAR = 0.5
RATIO_BAR = 5.0
COMPILE = (
    "import sys, pathlib, requirements.commands as c; c.compile_(root=pathlib.Path(sys.argv[1]))"
)
CHECK = "import sys, pathlib, requirements.commands as c; c.check(root=pathlib.Path(sys.argv[1]))"

SOUND = """\
# SRS-900 Sound Document

## Table of Contents

* 1 [Rows](#rows)
    * 1.1 [RQ.SRS-900.Insert](#rqsrs-900insert)
    * 1.2 [RQ.SRS-900.Select](#rqsrs-900select)

## Rows

### RQ.SRS-900.Insert
version: 1.0

[ClickHouse] SHALL store what is inserted.

```sql
INSERT INTO example VALUES (1);
```

### RQ.SRS-900.Select
version: 1.0

[ClickHouse] SHALL return what is stored.

[ClickHouse]: https://clickhouse.com
"""

DEFECTS = [
    ("requirement without a version", "Insert\nversion: 1.0\n", "Insert\n"),
    ("version that is none", "Insert\nversion: 1.0", "Insert\nversion: one"),
    ("the same name twice", "RQ.SRS-900.Select", "RQ.SRS-900.Insert"),
    ("two names, one Python name", "### RQ.SRS-900.Select", "### RQ.SRS_900.Insert"),
    ("contents name a heading that is gone", "* 1 [Rows](#rows)", "* 1 [Lines](#lines)"),
    ("heading missing in the contents", "    * 1.2 [RQ.SRS-900.Select](#rqsrs-900select)\n", ""),
    ("wrong anchor in the contents", "(#rqsrs-900select)", "(#rqsrs-900Select)"),
    ("wrong number in the contents", "* 1.2 [", "* 1.3 ["),
    ("blanks at the end of a name", "### RQ.SRS-900.Select\n", "### RQ.SRS-900.Select  \n"),
    ("misspelt name", "RQ.SRS-900.Select", "RQ.SRS-900.WrongArgiment"),
    ("misspelt word", "what is inserted", "what is inserted in its destinaton"),
    ("identical texts", "return what is stored.", "store what is inserted.\n\n```sql\n"
     "INSERT INTO example VALUES (1);\n```"),
    ("two SHALLs in one requirement", "is stored.", "is stored and SHALL be quick."),
    ("code block without an end", "(1);\n```\n", "(1);\n"),
    ("reference without a definition", "[ClickHouse] SHALL store", "[Keeper] SHALL store"),
    ("row with a cell too many", "is inserted.", "is inserted.\n\n| a |\n|---|\n| b | c |"),
    ("two specifications in one file", "## Rows", "# SRS-901 Another\n\n## Rows"),
    ("heading in a comment", "## Rows\n", "## Rows\n\n<!--\n### RQ.SRS-900.Old\nversion: 1.0\n-->\n"),
    ("`#` in a code block", "INSERT INTO", "# RQ.SRS-900.Fake\nINSERT INTO"),
]  # fmt: skip
# Not faults of the document but traps for its reader: right is to stay silent and to be right.
TRAPS = ("heading in a comment", "`#` in a code block")


def seconds(command: list[str]) -> float:
    """How long a command takes, whatever it ends with."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True)
    return time.perf_counter() - started


def project_of(documents: list[Path], folder: Path) -> Path:
    """A project that holds copies of the documents and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "requirements").mkdir(parents=True)
    for document in documents:
        name = document.stem.lower().replace("-", "_")
        name = name if name.startswith("srs") else f"srs_{name}"
        shutil.copy(document, folder / "requirements" / f"{name}.md")
    return folder


def compare_speed(documents: list[Path], folder: Path) -> bool:
    """Prints both times and says whether the bars are met."""
    compiling, checking, theirs = [], [], []
    for _ in range(RUNS):
        project = str(project_of(documents, folder / "project"))
        compiling.append(seconds([sys.executable, "-c", COMPILE, project]))
        generated = [
            seconds([str(TFS), "requirements", "generate", str(document), str(folder / "out.py")])
            for document in documents
        ]
        theirs.append(sum(generated))
        checking.append(seconds([sys.executable, "-c", CHECK, project]))
    mine, other = min(compiling), min(theirs)
    both = min(checking)
    size = sum(document.stat().st_size for document in documents)
    print(f"{len(documents)} documents, {size / 1024:.0f} KB, best of {RUNS} runs in turn")
    print(f"  compile                     {mine:6.2f} s")
    print(
        f"  tfs requirements generate   {other:6.2f} s   {other / mine:.1f} x (bar {RATIO_BAR:.0f} x)"
    )
    print(
        f"  compile and check           {both:6.2f} s   {other / both:.1f} x (bar {SECONDS_BAR} s)\n"
    )
    return other / mine >= RATIO_BAR and both <= SECONDS_BAR


def our_findings(paths: list[Path]) -> list[str]:
    """The rules that documents break."""
    command = [sys.executable, "-m", "requirements", "check", "--json", *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return [diagnostic["rule"] for diagnostic in json.loads(done.stdout)["diagnostics"]]


def their_findings(path: Path, output: Path) -> str:
    """What tfs makes of a document: a failure, or how many requirements it kept, silently."""
    output.unlink(missing_ok=True)
    command = [str(TFS), "requirements", "generate", str(path), str(output)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"fails, exit code {done.returncode}"
    written = output.read_text()
    texts = written.count("SHALL") - written[written.index("Specification(\n") :].count("SHALL")
    return f"silent; {written.count(' = Requirement(')} requirements, {texts} SHALLs in their texts"


def compare_findings(folder: Path) -> bool:
    """Prints who notices which defect, and says whether ours notices all."""
    print(f"{'defect':38} {'this project':34} tfs requirements generate")
    path = folder / "document.md"
    complete = True
    for name, old, new in [("none (2 requirements, 2 SHALLs)", "", ""), *DEFECTS]:
        if old not in SOUND:
            raise SystemExit(f"the defect '{name}' does not hit the document")
        path.write_text(SOUND.replace(old, new) if old else SOUND)
        rules = sorted(set(our_findings([path])))
        sound = not old or name in TRAPS
        complete &= (not rules) if sound else bool(rules)
        shown = ", ".join(rules) or "nothing to report"
        print(f"{name:38} {shown:34} {their_findings(path, folder / 'out.py')}")
    return complete


def main() -> int:
    """Runs both comparisons; the exit code says whether all bars are met."""
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "requirements"
    documents = sorted(given.glob("[sS][rR][sS]*.md")) if given.is_dir() else []
    if not documents:
        print(f"error: no specification (srs*.md) in {given}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fast = compare_speed(documents, folder)
        if len(sys.argv) > 1:
            for rule, count in Counter(our_findings(documents)).most_common():
                print(f"  {count:4} {rule}")
            for document in documents:
                print(f"  tfs on {document.name}: {their_findings(document, folder / 'out.py')}")
            print()
        complete = compare_findings(folder)
    return 0 if fast and complete else 1


if __name__ == "__main__":
    sys.exit(main())
