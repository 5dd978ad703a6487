"""Keys and values in any script: written into directories, read back, and found by conditions."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.recording import literal
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Generic_Encoding
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table

NEEDS = (Capability.OBJECT_STORE,)
# The second and the third look the same, and so do the fourth and the fifth: they are other texts.
TEXTS = (  # 12 variants
    "plain",
    "\u00e9t\u00e9",
    "e\u0301te\u0301",
    "A",
    "\u0410",
    "Ελλάδα",
    "العربية",
    "हिन्दी",
    "東京",
    "😀👩\u200d💻",
    "ﬁ",
    "\U00010348",
)
KEYS = ("город", "都市", "größe")  # 3 variants


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Encoding("1.0"))
def texts_of_any_script(self):
    """Every text is a partition of its own and is found by its value, under a key of any script."""
    violations: dict[str, object] = {}
    for key in KEYS:
        with Given(f"a row for each text, in a table partitioned by {key}"):
            lake = new_lake()
            table = hive_table(
                lake, columns=f"`{key}` String, x UInt8", partition_by=f"`{key}`", format="Parquet"
            )
            rows = ", ".join(f"({literal(text)}, {n})" for n, text in enumerate(TEXTS))
            lake.node.query(f"INSERT INTO {table} VALUES {rows}")

        with Then("each has a directory of its own"):
            directories = {path.split("/")[1] for path in lake.paths(f"{table.name}/")}
            assert directories == {f"{key}={text}" for text in TEXTS}, error()

        with When("I read all rows, and those of each text"):
            sources = {
                "table": str(table),
                "function": from_s3(
                    lake,
                    f"{table.name}/**.parquet",
                    structure=f"x UInt8, `{key}` String",
                    format="Parquet",
                ),
            }
            for name, source in sources.items():
                read = lake.node.query(f"SELECT `{key}`, x FROM {source} ORDER BY x")
                if read != [(text, n) for n, text in enumerate(TEXTS)]:
                    violations[f"{key}, {name}"] = read
                for n, text in enumerate(TEXTS):
                    where = f"WHERE `{key}` = {literal(text)}"
                    found = lake.node.column(f"SELECT x FROM {source} {where}")
                    if found != [n]:
                        violations[f"{key}, {name}, {text}"] = found

    with Then("all of them are found, each by its own text"):
        assert_no_violations(violations)
