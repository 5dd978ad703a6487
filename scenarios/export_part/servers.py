"""Several servers export tables of one name to one place, in one command."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_SeveralServers
from scenarios.export_part._marks import exports
from steps.export_part.namesakes import export_from_all, lakes_with_namesakes, rows_in_files
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
        assert [outcome.error for outcome in outcomes] == [""] * 4, error()
        assert rows_in_files(lakes[0], "shards/") == expected, error()

    with And("a merge on one server replaces its own files only"):
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
