#!/usr/bin/env python3
"""In place of ./regression.py in a rehearsal: a shard delivers its part of a run that was real.

Commands about results are the project's own.
"""

import argparse
import json
import os
import sys
from pathlib import Path

WORLD = json.loads(os.environ["REHEARSAL"])
OTHERS = ("engines", "images", "sensitivity", "explore")

if sys.argv[1] in ("coverage", "history"):
    python = os.environ["REHEARSAL_PYTHON"]
    os.execv(python, [python, "-m", "helpers.cli.main", *sys.argv[1:]])
if sys.argv[1] in OTHERS:
    sys.exit(0)
parser = argparse.ArgumentParser()
for option in ("--env", "--clickhouse-version", "--shard"):
    parser.add_argument(option)
# The others mean nothing here; tests/setup/test_documented_commands.py checks that they exist.
given, _ = parser.parse_known_args()
environment = given.env or "embedded"
if [environment, given.shard] in WORLD["broken"]:
    sys.exit(3)
number, count = map(int, given.shard.split("/"))
document = json.loads(Path(WORLD["template"]).read_text())
name = f"{environment}-{given.clickhouse_version}-{number}-{WORLD['night']}"
document["run"] |= {
    "id": name,
    "started": f"2026-11-{WORLD['night']:02}T02:{20 + number}:00Z",
    "environment": environment,
    "clickhouse": f"{given.clickhouse_version or '26.9'}.2.1",
    "shard": given.shard,
    "commit": f"{WORLD['night']}" * 40,
    "exit_code": 0,
}
document["scenarios"] = document["scenarios"][number - 1 :: count]
for scenario in document["scenarios"]:
    if [environment, given.clickhouse_version, scenario["name"]] in WORLD["failing"]:
        scenario |= {"result": "Fail", "reason": "rows differ"}
        document["run"]["exit_code"] = 1
folder = Path("results") / name
folder.mkdir(parents=True)
(folder / "results.json").write_text(json.dumps(document))
(folder.parent / "latest").symlink_to(name)
sys.exit(document["run"]["exit_code"])
