#!/usr/bin/env python3
"""A stand-in for GitHub's `gh`: what its manual says of the commands and options that the workflows use."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

Entries = list[dict[str, Any]]
WORLD = json.loads(os.environ["REHEARSAL"])
FOLDER = Path(WORLD["folder"])
QUERIES = {
    ".[].databaseId": lambda found: [entry["databaseId"] for entry in found],
    ".[0].number // empty": lambda found: [entry["number"] for entry in found[:1]],
}


def read(name: str) -> Entries:
    found: Entries = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def write(name: str, value: Entries) -> None:
    (FOLDER / f"{name}.json").write_text(json.dumps(value))


def permitted(what: str, *rights: str) -> None:
    if WORLD["permissions"].get(what) not in rights:
        sys.exit("HTTP 403: Resource not accessible by integration")


def printed(found: Entries, given: argparse.Namespace) -> None:
    for line in QUERIES[given.jq](
        [{name: e[name] for name in given.json.split(",")} for e in found]
    ):
        print(line)


def run_list(given: argparse.Namespace) -> None:
    permitted("actions", "read", "write")
    runs = sorted(read("runs"), key=lambda run: -run["databaseId"])
    chosen = [r for r in runs if (r["headBranch"], r["status"]) == (given.branch, given.status)]
    printed(chosen[: given.limit], given)


def run_download(given: argparse.Namespace) -> None:
    """One artifact by its name goes into the folder itself; its files are as old as the download."""
    permitted("actions", "read", "write")
    sys.stdin.read()  # whatever a loop feeds it
    source = FOLDER / "artifacts" / given.id / given.name
    if not source.exists():
        sys.exit("no artifact matches any of the names or patterns provided")
    shutil.copytree(source, given.dir, dirs_exist_ok=True, copy_function=shutil.copyfile)


def issue_list(given: argparse.Namespace) -> None:
    permitted("issues", "read", "write")
    title = given.search.removeprefix('in:title "').removesuffix('"')
    printed([issue for issue in read("issues") if title in issue["title"]], given)


def issue_create(given: argparse.Namespace) -> None:
    permitted("issues", "write")
    body = Path(given.body_file).read_text()
    issues = read("issues")
    issues.append({"number": 100 + len(issues), "title": given.title, "texts": [body]})
    write("issues", issues)


def issue_comment(given: argparse.Namespace) -> None:
    permitted("issues", "write")
    issues = read("issues")
    (found,) = [issue for issue in issues if issue["number"] == int(given.number)]
    found["texts"].append(Path(given.body_file).read_text())
    write("issues", issues)


COMMANDS = {
    ("run", "list"): (
        run_list,
        ["--workflow", "--branch", "--status", "--limit", "--json", "--jq"],
    ),
    ("run", "download"): (run_download, ["id", "--name", "--dir"]),
    ("issue", "list"): (issue_list, ["--state", "--search", "--json", "--jq"]),
    ("issue", "create"): (issue_create, ["--title", "--body-file"]),
    ("issue", "comment"): (issue_comment, ["number", "--body-file"]),
}

if not os.environ.get("GH_TOKEN"):
    sys.exit(4)
command, options = COMMANDS[(sys.argv[1], sys.argv[2])]
parser = argparse.ArgumentParser()
for option in options:
    parser.add_argument(option, type=int if option == "--limit" else str)
command(parser.parse_args(sys.argv[3:]))
