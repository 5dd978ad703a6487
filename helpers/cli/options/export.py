"""The command line of `./regression.py export`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, add_results_option, deferred

ACTIONS = ("run", "verify", "history")
DESCRIPTION = """\
Export parts of a MergeTree table, on any ClickHouse, as Parquet files in Hive's layout:
  s3://lake/visits/day=2026-01-01/20260101_1_4_1_<checksum>.parquet
A part becomes one file, or several if their size is limited. It appears as a whole or not at all, and
once: run the same command again after a crash and it finishes what is missing. A commit file next to the
files says what is in them.

  export verify    recompute what the commit files say, and look for files that none speaks of
  export history   the exports that --log recorded, running and ended
"""
EPILOG = """\
examples:
  ./regression.py export --source web.visits --part 20260101_1_4_1 --to web.visits_s3
  ./regression.py export --source web.visits --partition 20260101 --to s3://lake/visits
  ./regression.py export --source web.visits --all --older-than 7d --to s3://lake/visits --dry-run
  ./regression.py export verify --to s3://lake/visits --rows --prune-after-verify
  ./regression.py export history --log exports

who and where, from the environment (nothing of it is ever shown):
  CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD     the server
  AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_CA_BUNDLE     the store
Without them, the environment that ./regression.py up has started is used.

Exit codes: 0 exported, or there already; 1 an export failed; 2 refused, nothing was written;
3 server or store do not answer; 4 interrupted, parts that were committed stay.
docs/export.md says what happens at each possible crash.
"""


def parser() -> argparse.ArgumentParser:
    made = Parser(
        prog="./regression.py export",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    made.add_argument("action", nargs="?", choices=ACTIONS, default="run", help=argparse.SUPPRESS)
    made.add_argument("--source", metavar="DB.TABLE", help="the MergeTree table")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--part", metavar="NAME", help="one part")
    what.add_argument("--partition", metavar="ID", help="all parts of a partition, by its id")
    what.add_argument("--all", action="store_true", help="all parts")
    made.add_argument("--older-than", metavar="AGE", help="only parts as old: 7d, 12h")
    made.add_argument(
        "--where", metavar="SQL", help="only parts for which this holds in system.parts"
    )
    made.add_argument(
        "--to", metavar="TO", help="db.table with Hive partitioning, or s3://bucket/…"
    )
    made.add_argument(
        "--url",
        metavar="URL,…",
        help="of ClickHouse, also of several shards or replicas; a password in it is seen by ps",
    )
    made.add_argument(
        "--cluster",
        metavar="NAME",
        help="all servers of this cluster, which the server of --url knows",
    )
    made.add_argument(
        "--name-pattern",
        metavar="P",
        help="of files, with {part} and {checksum}, {source}, {shard}, {database}, {table}",
    )
    made.add_argument("--endpoint", metavar="URL", help="of the store, for --to s3://…")
    made.add_argument(
        "--max-rows-per-file",
        metavar="N",
        help="larger parts become several files, in one commit file",
    )
    made.add_argument(
        "--max-bytes-per-file", metavar="N", help="the same by encoded bytes: 500M, 1G"
    )
    exists = made.add_mutually_exclusive_group()
    exists.add_argument("--overwrite", action="store_true", help="replace files that are there")
    exists.add_argument(
        "--if-exists", metavar="P", default="skip", help="skip (default), error or overwrite"
    )
    made.add_argument(
        "--overwrite-unproved",
        action="store_true",
        help="--overwrite also removes files whose rows the new part is not proved to have",
    )
    made.add_argument(
        "--since-last",
        action="store_true",
        help="skip parts that were merged from exported ones and have exactly their rows",
    )
    made.add_argument(
        "--keep-trying",
        metavar="AGE",
        help="so long, if a server or the store does not answer: 30m",
    )
    made.add_argument(
        "--adopt",
        action="store_true",
        help="files of older exports, which do not name their server, are from this one",
    )
    made.add_argument(
        "--bandwidth", metavar="N", default="0", help="bytes a second for all tasks: 500K, 20M"
    )
    made.add_argument("--rows-per-task", metavar="N", help="split larger parts over several tasks")
    made.add_argument("--spark-master", metavar="M", help="local[N], spark://…, yarn, k8s://…")
    made.add_argument(
        "--partition-by",
        metavar="KEY",
        help="of the lake, if not the table's key: each part has one value of it, as in 'toYear(day)'",
    )
    made.add_argument(
        "--partition-name",
        metavar="NAME",
        help="of the folders of an expression in the key: month for toYYYYMM(day); several with commas",
    )
    made.add_argument(
        "--keys-in-file", action="store_true", help="columns of the key are in the files, too"
    )
    made.add_argument(
        "--register",
        choices=("iceberg",),
        help="add all exported parts to a table of Iceberg, in one snapshot; needs pyiceberg",
    )
    made.add_argument("--catalog", metavar="URI", help="of Iceberg: sqlite:///file or http://…")
    made.add_argument(
        "--as", dest="register_as", metavar="NS.TABLE", help="(--source) its name in Iceberg"
    )
    made.add_argument(
        "--rows", action="store_true", help="verify: Spark compares the files' rows with the parts'"
    )
    made.add_argument(
        "--prune-after-verify",
        action="store_true",
        help="verify: print statements that detach parts whose files are as committed; none is sent",
    )
    made.add_argument("--log", metavar="DB", help="keep exports, part_log, events, metrics there")
    made.add_argument("--dry-run", action="store_true", help="check, and print files and sizes")
    made.add_argument("--json", action="store_true", help="print JSON")
    add_results_option(made)
    made.set_defaults(implementation=deferred("helpers.cli.export:export"))
    return made
