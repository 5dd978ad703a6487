"""Several servers export tables of one name to one place, in one command."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_SeveralServers,
    RQ_ClickHouse_ExportPart_SourceEngines,
)
from scenarios.export_part._marks import exports
from steps.export_part.namesakes import (
    export_from_all,
    lakes_with_namesakes,
    lakes_with_replicas,
    rows_in_files,
)
from steps.tables import contents, insert


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SeveralServers("1.0"))
@exports()
def shards_to_one_place(self):
    """Parts of equal names, some of equal rows, on two servers arrive all of them and once."""
    with Given("two servers with a table of one name: one part has equal rows, one has other rows"):
        lakes, sources = lakes_with_namesakes()
        for source, owner in zip(sources, ("first", "second"), strict=True):
            insert(source, [(1, 1, "both")])
            insert(source, [(2, 2, owner)])
        expected = sorted(row[1:] for source in sources for row in contents(source))
        assert len(set(expected)) == len(expected) - 1 == 3, error()

    with When("I export all parts of both in one command"):
        outcomes = export_from_all(lakes, sources[0], "shards")

    with Then("every row of every server is there once"):
        covers("parts of equal names, and parts of equal rows")
        assert [outcome.error for outcome in outcomes] == [""] * 4, error()
        assert rows_in_files(lakes[0], "shards/") == expected, error()

    with And("a merge on one server replaces its own files only"):
        covers("overwriting replaces files of the same table")
        source = sources[1]
        insert(source, [(1, 3, "more")])
        source.node.query(f"OPTIMIZE TABLE {source} PARTITION 1 FINAL")
        refused = export_from_all(lakes, source, "shards")
        assert sum("were exported already" in outcome.error for outcome in refused) == 1, error()
        replaced = export_from_all(lakes, source, "shards", if_exists="overwrite")
        assert [outcome.error for outcome in replaced] == [""] * len(replaced), error()
        expected = sorted([*expected, (3, "more")])
        assert rows_in_files(lakes[0], "shards/") == expected, error()
        assert lakes[0].leftovers() == [], error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_SeveralServers("1.0"),
    RQ_ClickHouse_ExportPart_SourceEngines("1.0"),
)
@exports(Capability.REPLICATION)
def replicas_share_the_parts(self):
    """Two replicas of a table export each part once, and the other one goes on when one is killed."""
    with Given("a table with two replicas, and six parts"):
        lakes, sources = lakes_with_replicas()
        for number in range(6):
            insert(sources[0], [(1, 10 * number + at, "row") for at in range(5)])
        sources[1].node.query(f"SYSTEM SYNC REPLICA {sources[1]}")
        expected = sorted(row[1:] for row in contents(sources[0]))
        assert len(expected) == 30 and contents(sources[1]) == contents(sources[0]), error()

    with When("I export all parts by both, in one command"):
        outcomes = export_from_all(lakes, sources[0], "together")

    with Then("each part arrives once"):
        covers("replicas of one table export each part once", "`ReplicatedMergeTree` | replicas")
        assert [outcome.error for outcome in outcomes] == [""] * 6, error()
        assert rows_in_files(lakes[0], "together/") == expected, error()

    with When("one replica is killed after the plan was made"):
        outcomes = export_from_all(
            lakes, sources[0], "killed", planned=lambda: lakes[1].node.kill()
        )

    with Then("the other one exports all parts"):
        assert [outcome.error for outcome in outcomes] == [""] * 6, error()
        assert rows_in_files(lakes[0], "killed/") == expected, error()
        assert lakes[0].leftovers() == [], error()
        lakes[1].node.start()
