"""Patterns that lead nowhere, and characters that are to be no pattern."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Wildcards_Escaping,
    RQ_HivePartitioning_Wildcards_NoMatch,
    RQ_HivePartitioning_Wildcards_WrongList,
    RQ_HivePartitioning_Wildcards_WrongRange,
)
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.wildcards import VISITS, exact_lake, mismatches, not_refused, wild_lake
from steps.refusals import attempt

NEEDS = (Capability.OBJECT_STORE,)
DAY_1, DAYS_1_TO_3 = "day=1/a.tsv", "day=1/a.tsv, day=2/a.tsv, day=3/a.tsv"
BACKSLASH = "a backslash is a character like any other, in patterns and in names"
SPECIAL = {
    "k={special}/a.tsv": 1,
    "k=star*/a.tsv": 2,
    "k=starx/a.tsv": 3,
    "k=mark?/a.tsv": 4,
    "k=markx/a.tsv": 5,
    "k={/a.tsv": 6,
    "k=}/a.tsv": 7,
    "k={a,b}/a.tsv": 8,
    "k=plain/a.tsv": 9,
}


@TestOutline
def claim_holds(self, *, claim, violations, control):
    """A claim about patterns holds, and those beside them match what they should: something is read."""
    with Then("the patterns that are right match their objects"):
        assert_no_violations(control)

    with And(claim):
        assert_no_violations(violations)


@TestOutline
def wrong_patterns_are_refused(self, *, right, wrong):
    """Patterns that lead to objects match them; those that are wrong, or lead nowhere, are refused."""
    with Given("objects in directories"), wild_lake() as lake:
        with When("I read by patterns whose objects all exist"):
            control = mismatches(*lake, right)

        with And("by patterns that are wrong, or of which some or all lead nowhere"):
            violations = not_refused(*lake, wrong)

        claim_holds(claim="each is refused", violations=violations, control=control)


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_WrongList("1.0"))
@deviates(
    step="each is refused",
    observed={
        "day={1,99}/*.tsv": "day=1/a.tsv, day=1/b.tsv",
        "day={98,99}/*.tsv": "nothing, asked for nothing",
        "day={1,99}/a.ts?": DAY_1,
        "day={1,2}/{a,c}.tsv": "day=1/a.tsv, day=2/a.tsv",
        "**/{x,y}.tsv": "nothing, asked for nothing",
    },
    reason="alternatives are asked for one by one only where one list is all that a path has of patterns; "
    "otherwise the store is listed, and what is not there is not missed",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/operations/settings/settings#s3_throw_on_zero_files_match",
)
def alternatives_that_do_not_exist(self):
    """A list with an alternative that leads nowhere is refused."""
    wrong_patterns_are_refused(
        right={"day={1,3}/a.tsv": (DAY_1, "day=3/a.tsv")},
        wrong=(
            "day={1,99}/a.tsv",
            "day={98,99}/a.tsv",
            "day={99}/a.tsv",
            "{day=1/a,missing}.tsv",
            "day={1,99}/*.tsv",
            "day={98,99}/*.tsv",
            "day={1,99}/a.ts?",
            "day={1,2}/{a,c}.tsv",
            "**/{x,y}.tsv",
        ),
    )


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_WrongRange("1.0"))
@deviates(
    step="each is refused",
    observed={
        "day={1..99}/a.tsv": f"{DAY_1}, day=10/a.tsv, day=2/a.tsv, day=3/a.tsv",
        "day={50..60}/a.tsv": "nothing, asked for nothing",
        "day={3..1}/a.tsv": DAYS_1_TO_3,
        "day={1..4}/*.tsv": "day=1/a.tsv, day=1/b.tsv, day=2/a.tsv, day=3/a.tsv",
        "day={a..c}/*.tsv": "nothing, asked for nothing",
    },
    reason="a range is resolved by listing the store: numbers that are not there are not missed, and bounds "
    "in the wrong order are exchanged",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/operations/settings/settings#s3_throw_on_zero_files_match",
)
def ranges_that_do_not_exist(self):
    """A range with a bound that is no number, or with a number that leads nowhere, is refused."""
    wrong_patterns_are_refused(
        right={"day={1..3}/a.tsv": tuple(DAYS_1_TO_3.split(", "))},
        wrong=(
            *("day={a..c}/a.tsv", "day={1..}/a.tsv", "day={..3}/a.tsv"),
            *("day={1...3}/a.tsv", "day={1..2..3}/a.tsv", "day={1.5..3}/a.tsv"),
            *("day={1..99}/a.tsv", "day={50..60}/a.tsv", "day={3..1}/a.tsv"),
            *("day={1..4}/*.tsv", "day={a..c}/*.tsv"),
        ),
    )


ASKED_FOR = {"s3_throw_on_zero_files_match": 1}
NOTHING_MATCHES = 107


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_NoMatch("1.0"))
def pattern_without_a_match(self):
    """A pattern that matches nothing has no rows, and is an error for those who ask for one."""
    violations: dict[str, object] = {}
    with Given("objects in directories"), wild_lake() as (lake, _):
        for pattern in ("day={98,99}/*.tsv", "day={50..60}/a.tsv", "day=x*/*.tsv", "**/{x,y}.tsv"):
            with When(f"I read by {pattern}"):
                sql = f"SELECT id FROM {from_s3(lake, pattern)}"
                if rows := lake.node.query(sql):
                    violations[pattern] = rows
                refused = attempt(lake.node, sql, settings=ASKED_FOR)
                if refused.code != NOTHING_MATCHES:
                    violations[f"{pattern}, error"] = refused

        with And("by a pattern that matches"):
            right = f"SELECT id FROM {from_s3(lake, 'day={1,2}/a.tsv')}"
            expected = sorted(VISITS[f"day={day}/a.tsv"] for day in (1, 2))
            found = [sorted(lake.node.column(right, settings=given)) for given in ({}, ASKED_FOR)]

    with Then("a pattern that matches has its rows, with the setting and without"):
        assert found == [expected, expected], error()

    with And("the others have none, and are refused with the setting"):
        assert_no_violations(violations)


# Patterns with a backslash, and what each is to match.
ESCAPED = {
    r"k=\{special\}/a.tsv": ("k={special}/a.tsv",),
    r"k=star\*/a.tsv": ("k=star*/a.tsv",),
    r"k=mark\?/a.tsv": ("k=mark?/a.tsv",),
    r"k=\{/a.tsv": ("k={/a.tsv",),
    r"k=\}/a.tsv": ("k=}/a.tsv",),
    r"k=\{a,b\}/a.tsv": ("k={a,b}/a.tsv",),
    r"k=\{*/a.tsv": ("k={/a.tsv", "k={a,b}/a.tsv", "k={special}/a.tsv"),
}
# Names that the same patterns match where a backslash is a character like any other.
WITH_BACKSLASH = {
    r"k=\special\/a.tsv": 11,
    r"k=star\x/a.tsv": 12,
    r"k=mark\x/a.tsv": 13,
    r"k=\{/a.tsv": 14,
    r"k=\}/a.tsv": 15,
    r"k=\a/a.tsv": 16,
    r"k=\b\/a.tsv": 17,
}


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_Escaping("1.0"))
@deviates(
    step="each is the one object of that name",
    observed={
        r"k=\{special\}/a.tsv": "refused with code 499, asked for k=\\special\\/a.tsv",
        r"k=star\*/a.tsv": "nothing, asked for nothing",
        r"k=mark\?/a.tsv": "nothing, asked for nothing",
        r"k=\{/a.tsv": "refused with code 499, asked for k=\\{/a.tsv",
        r"k=\}/a.tsv": "refused with code 499, asked for k=\\}/a.tsv",
        r"k=\{a,b\}/a.tsv": "refused with code 499, asked for k=\\a/a.tsv",
        r"k=\{*/a.tsv": "nothing, asked for nothing",
    },
    reason=BACKSLASH,
    kind="requirement",
    severity="wrong answer",
)
def escaped_characters(self):
    """A backslash makes a character of a pattern an ordinary one."""
    with Given("objects with characters of patterns in their names"), wild_lake(SPECIAL) as lake:
        with When("I read by the characters as a pattern"):
            control = mismatches(
                *lake,
                {
                    "k=star*/a.tsv": ("k=star*/a.tsv", "k=starx/a.tsv"),
                    "k=mark?/a.tsv": ("k=mark?/a.tsv", "k=markx/a.tsv"),
                    "k={plain}/a.tsv": ("k=plain/a.tsv",),
                },
                SPECIAL,
            )

        with And("by the characters with a backslash before them"):
            wrong = mismatches(*lake, ESCAPED, SPECIAL)

        claim_holds(claim="each is the one object of that name", violations=wrong, control=control)


@TestScenario
@Requirements(RQ_HivePartitioning_Wildcards_Escaping("1.0"))
@deviates(
    step="each is the one object of that name",
    observed={
        r"k=\{special\}/a.tsv": r"k=\special\/a.tsv",
        r"k=star\*/a.tsv": r"k=star\x/a.tsv",
        r"k=mark\?/a.tsv": r"k=mark\x/a.tsv",
        r"k=\{/a.tsv": r"k=\{/a.tsv",
        r"k=\}/a.tsv": r"k=\}/a.tsv",
        r"k=\{a,b\}/a.tsv": r"k=\a/a.tsv, k=\b\/a.tsv",
        r"k=\{*/a.tsv": r"k=\{/a.tsv",
    },
    reason=BACKSLASH,
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes a store that keeps a backslash in a name, which SeaweedFS does not",
)
def escaped_characters_and_exact_names(self):
    """The same on a store that keeps a backslash in a name, with names that only a wrong reading leads to."""
    objects = SPECIAL | WITH_BACKSLASH
    with (
        Given("objects of a key-exact store, some with a backslash in their names"),
        exact_lake(objects) as lake,
    ):
        with When("I read by stars, and by characters with a backslash before them"):
            control = mismatches(*lake, {"**": tuple(objects)}, objects)
            wrong = mismatches(*lake, ESCAPED, objects)

        claim_holds(claim="each is the one object of that name", violations=wrong, control=control)
