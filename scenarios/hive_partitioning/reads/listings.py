"""What the store is asked to list: nothing of a partition that the conditions on partition keys exclude."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.faults.s3_proxy import RequestKind, S3FaultProxy
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Generic_Pruning
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3

NEEDS = (Capability.OBJECT_STORE,)
YEARS, EXCLUDED_FILES = (2020, 2021, 2022), 20
# Patterns, and what 26.9 asks the store for with a condition that leaves one year.
PATTERNS = ("**.tsv", "year=*/*.tsv", "year={2020,2021,2022}/*.tsv")  # 3 variants
ONE_A_PAGE = {"s3_list_object_keys_size": 1, "s3_throw_on_zero_files_match": 1}


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Pruning("1.0"))
@deviates(
    step="nothing of the excluded years is listed",
    observed=dict.fromkeys(PATTERNS, "lists as much as without the condition"),
    reason="a path is listed by its pattern, and conditions choose among the files found",
    kind="requirement",
    severity="message",
    no_sql="the number of listings is counted between the server and its store",
)
def excluded_partitions(self):
    """A condition on keys keeps the server from listing the directories that it excludes."""
    with Given("one file of the year 2021 and twenty of each other year"):
        files = {year: 1 if year == 2021 else EXCLUDED_FILES for year in YEARS}
        lake = new_lake(
            objects={
                f"year={year}/{number:02}.tsv": f"{number}\n"
                for year, count in files.items()
                for number in range(count)
            }
        )

    observed = {}
    with S3FaultProxy(lake.store.url) as proxy:
        with And("a path that names the year, by which its file alone is listed"):
            url = f"{proxy.url}/{lake.bucket}/{lake.filename('year=2021/*.tsv')}"
            sql = f"SELECT id FROM {from_s3(lake, '', url=url)}"
            assert lake.node.query(sql, settings=ONE_A_PAGE) == [(0,)], error()
            assert 0 < len(proxy.of_kind(RequestKind.LIST)) < EXCLUDED_FILES, error()

        for pattern in PATTERNS:
            with When(
                f"I read {pattern} by a condition and without, a file in each page of a list"
            ):
                url = f"{proxy.url}/{lake.bucket}/{lake.filename(pattern)}"
                source = from_s3(lake, pattern, url=url)
                rows, pages = {}, {}
                for condition in ("year = 2021", "1"):
                    proxy.requests.clear()
                    sql = f"SELECT id FROM {source} WHERE {condition}"
                    rows[condition] = lake.node.query(sql, settings=ONE_A_PAGE)
                    pages[condition] = len(proxy.of_kind(RequestKind.LIST))
                    gets = {request.key for request in proxy.of_kind(RequestKind.GET)}
                    wanted = 1 if condition != "1" else sum(files.values())
                    assert len(gets) == wanted, error()

            with Then("the rows are right, and without the condition every file was listed"):
                assert rows["year = 2021"] == [(0,)], error()
                assert len(rows["1"]) == sum(files.values()), error()
                assert pages["1"] >= sum(files.values()), error()

            if pages["year = 2021"] >= EXCLUDED_FILES:
                same = pages["year = 2021"] == pages["1"]
                observed[pattern] = "lists as much as without the condition" if same else str(pages)

    with And("nothing of the excluded years is listed"):
        covers("its directory is not listed")
        assert_no_violations(observed)
