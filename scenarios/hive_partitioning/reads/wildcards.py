"""Patterns in hive-partitioned paths: *, **, ?, lists and ranges."""

from testflows.core import Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Wildcards,
    RQ_HivePartitioning_Wildcards_DoubleStar,
    RQ_HivePartitioning_Wildcards_List,
    RQ_HivePartitioning_Wildcards_QuestionMark,
    RQ_HivePartitioning_Wildcards_Range,
    RQ_HivePartitioning_Wildcards_SingleStar,
)
from steps.hive_partitioning.pruning import Expected, wrong_readings
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.hive_partitioning.sources import filled_lake, rows_of
from steps.hive_partitioning.wildcards import VISITS, mismatches, wild_lake

NEEDS = (Capability.OBJECT_STORE,)
EU = ("date=2022-01-01/region=EU/a.tsv", "date=2022-01-10/region=EU/c.tsv")
US = "date=2022-01-02/region=US/b.tsv"
DAYS = tuple(path for path in VISITS if path.startswith("day="))
DAYS_A = tuple(path for path in DAYS if path.endswith("a.tsv"))
SINGLE_STAR = {
    "*": ("flat.tsv",),
    "*.tsv": ("flat.tsv",),
    "*/*": DAYS,
    "*/*/*": (*EU, US),
    "day=*/a.tsv": DAYS_A,
    "d*y=*/b*": ("day=1/b.tsv",),
    "date=*/region=EU/*.tsv": EU,
    "date=2022-*-10/*=*/*": (EU[1],),
    "date=*/*": (),
    "day=1*/a.tsv": ("day=1/a.tsv", "day=10/a.tsv"),
}
DOUBLE_STAR = {
    "**": tuple(VISITS),
    "**.tsv": tuple(VISITS),
    "**/a.tsv": (EU[0], *DAYS_A),
    "**/region=EU/*": EU,
    "date=**": (*EU, US),
    "date=2022**b.tsv": (US,),
    "d**/b.tsv": (US, "day=1/b.tsv"),
    "day=1**": ("day=1/a.tsv", "day=1/b.tsv", "day=10/a.tsv"),
}
QUESTION_MARK = {
    "day=?/a.tsv": ("day=0/a.tsv", "day=1/a.tsv", "day=2/a.tsv", "day=3/a.tsv", "day=ü/a.tsv"),
    "day=??/a.tsv": ("day=-1/a.tsv", "day=01/a.tsv", "day=10/a.tsv"),
    "day?1/?.tsv": ("day=1/a.tsv", "day=1/b.tsv"),
    "day=1?a.tsv": (),
    "date=2022-01-0?/*/?.tsv": (EU[0], US),
    "????.tsv": ("flat.tsv",),
}
LIST = {
    "day={1,3}/a.tsv": ("day=1/a.tsv", "day=3/a.tsv"),
    "day={1}/a.tsv": ("day=1/a.tsv",),
    "day={1,3}/*.tsv": ("day=1/a.tsv", "day=1/b.tsv", "day=3/a.tsv"),
    "{day=1/a,flat}.tsv": ("day=1/a.tsv", "flat.tsv"),
    "d{ay=1,ay=2}/a.tsv": ("day=1/a.tsv", "day=2/a.tsv"),
    "day={1,2}/{a,b}.ts{v,w}": ("day=1/a.tsv", "day=1/b.tsv", "day=2/a.tsv"),
    "date=2022-01-{01,02}/region={EU,US}/{a,b}.tsv": (EU[0], US),
    "{date,day}=**/a.tsv": (EU[0], *DAYS_A),
}
RANGE = {
    "day={1..3}/a.tsv": ("day=1/a.tsv", "day=2/a.tsv", "day=3/a.tsv"),
    "day={0..10}/a.tsv": tuple(f"day={number}/a.tsv" for number in (0, 1, 2, 3, 10)),
    "day={2..2}/a.tsv": ("day=2/a.tsv",),
    "day={01..10}/a.tsv": ("day=01/a.tsv", "day=10/a.tsv"),
    "date=2022-01-{01..02}/*/*": (EU[0], US),
    "date=2022-01-0{1..2}/**.tsv": (EU[0], US),
    "day={1..2}/{a,b}.tsv": ("day=1/a.tsv", "day=1/b.tsv", "day=2/a.tsv"),
}
EXACTLY = "each matches exactly the paths that it describes"


@TestOutline
def patterns_match(self, *, patterns, with_, then=EXACTLY):
    """Read by patterns and compare what each has matched with the paths that it should."""
    with (
        Given("objects in directories, in directories of directories and in none"),
        wild_lake() as lake,
    ):
        with When(f"I read by patterns with {with_}"):
            wrong = mismatches(*lake, patterns)

        with Then(then):
            assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_SingleStar("1.0"))
def single_star(self):
    """A star is any run of characters within a directory, the empty one too."""
    patterns_match(patterns=SINGLE_STAR, with_="stars")


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_DoubleStar("1.0"))
def double_star(self):
    """Two stars are any run of characters, slashes among them."""
    patterns_match(patterns=DOUBLE_STAR, with_="two stars")


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_QuestionMark("1.0"))
def question_mark(self):
    """A question mark is one character, of one byte or more, and never a slash."""
    patterns_match(patterns=QUESTION_MARK, with_="question marks")


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_List("1.0"))
def lists(self):
    """A list is each of its alternatives: of values, of names with slashes, several of them in a path."""
    patterns_match(patterns=LIST, with_="lists")


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_Range("1.0"))
def ranges(self):
    """A range is every integer from its first to its last; with leading zeros it has them everywhere."""
    patterns_match(patterns=RANGE, with_="ranges")


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards("1.0"))
def patterns_and_keys(self):
    """What a pattern matches has its keys as columns, and is left out where a condition excludes it."""
    expected = {
        "year=*/country=*/*": (3, 9),
        "**/country=US/*.tsv": (3, 9),
        "year=202?/country=??/data.tsv": (3, 9),
        "year={2020,2021}/country={DE,US}/*": (3,),
        "year={2021..2022}/**": (9,),
        "year=202{0..2}/country={FR,US}/d**": (3, 9),
    }
    queries = {}
    with Given("nine partitions"):
        lake = filled_lake()

    with When("I ask for some of the partitions that patterns match"):
        for pattern, left in expected.items():
            for source in (from_s3(lake, pattern), str(s3_table(lake, pattern))):
                asked = f"SELECT id FROM {source} WHERE year != 2021 AND country = 'US'"
                queries[asked] = Expected(rows_of(*left), len(left))
        violations = wrong_readings(lake.node, queries)

    with Then("rows and files are those that pattern and condition leave"):
        assert_no_violations(violations)
