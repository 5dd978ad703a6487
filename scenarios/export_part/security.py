"""Privileges, encryption on the way to the store, and secrets that nobody gets to see."""

from dataclasses import replace

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.node import User
from helpers.faults.wiretap import Wiretap
from helpers.scenario.context import this
from helpers.scenario.marks import leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_Security
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    Lake,
    export,
    export_to_place,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    place_refusal,
    refusal,
    statement,
)
from steps.export_part.logs import export_log, readable_texts
from steps.tables import contents

SYSTEM = ("parts", "mutations", "processes", "tables", "columns")  # 5 variants
# What a user lacks, and how the refusal begins.
LACKING = {  # 4 variants
    "SELECT on the source": "497",
    "INSERT on the destination": "ACCESS_DENIED",
    "SELECT on system.parts": "497",
    "everything": "UNKNOWN_DATABASE",
}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Security("1.0"))
@exports(Capability.PROCESS_CONTROL)
@leaves_out(
    "databases | the user needs `SHOW`",
    reason="`SELECT` and `INSERT` on the tables imply it; with no privilege the database is unknown",
)
@leaves_out(
    "system tables | the user needs `SELECT` on `system.tables`",
    reason="servers grant it to everybody; `SELECT` on `system.parts` is checked",
)
def privileges(self):
    """A user exports with SELECT on the source and INSERT on the destination, and without one of them
    does not; who has no privilege at all is not even told that the tables exist."""
    with Given("a table, an S3 table, and users who lack one privilege each"):
        lake, source, destination = lake_with_tables("guarded")
        needed = {
            "SELECT on the source": f"SELECT ON {source}",
            "INSERT on the destination": f"INSERT ON {destination}",
            "SHOW on the database": f"SHOW ON {source.database}.*",
            **{f"SELECT on system.{name}": f"SELECT ON system.{name}" for name in SYSTEM},
        }
        users = {
            lacks: User(
                f"user{number}",
                tuple(grant for name, grant in needed.items() if lacks not in (name, "everything")),
            )
            for number, lacks in enumerate(LACKING)
        }
        lake.node.add_users([*users.values(), User("entitled", tuple(needed.values()))])
        sql = statement(source, part_of(source), destination)

    with When("each of them exports a part"):
        refusals = {lacks: refusal_of(lake, sql, user.name) for lacks, user in users.items()}

    with Then("each is refused for what is lacking, and nothing is written"):
        covers(
            "source | the user needs `SELECT` on it", "destination | the user needs `INSERT` on it"
        )
        assert_no_violations(
            {lacks: text for lacks, text in refusals.items() if not text.startswith(LACKING[lacks])}
        )
        assert len(refusals) == len(LACKING) and lake.keys("") == [], error()
        assert contents(destination) == [], error()

    with And("who has all of them exports it"):
        outcome = export(lake, sql, user="entitled")
        assert outcome.error == "", error()
        assert contents(destination) == contents(source, partition=1) != [], error()


def refusal_of(lake: Lake, sql: str, user: str) -> str:
    """How a user's export is refused: by the exporter with a name, by the server with a number."""
    try:
        return refusal(lake, sql, user=user)
    except QueryFailed as failed:
        return f"{failed.code}: {failed.message}"


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Security("1.0"))
@exports()
def data_on_the_way(self):
    """Over HTTPS nothing of an export can be read on its way to the store; a store that cannot prove who
    it is gets nothing."""
    with Given("a table, a store with TLS and one without, each with somebody who listens"):
        lake = new_lake()
        source = filled_source(lake)
        part = part_of(source)
        secure = this().cluster.object_store(tls=True)
        secure.make_bucket(lake.bucket)
        assert secure.url.startswith("https://"), error()

    with (
        When("I export a part to both, and to the secure one without knowing its authority"),
        Wiretap(secure.url) as closed,
        Wiretap(lake.store.url) as open_,
    ):
        hidden = replace(secure.store(), endpoint=closed.url)
        outcomes = [
            export_to_place(lake, source, part, "place", store=store)
            for store in (hidden, replace(lake.store.store(), endpoint=open_.url))
        ]
        nobody = replace(hidden, certificate="")
        untrusted = place_refusal(lake, source, part, "untrusted", store=nobody)

    with Then("both have the same rows"):
        assert [outcome.error for outcome in outcomes] == ["", ""], error()
        stores = {"secure": secure, "open": lake.store}
        for name, store in stores.items():
            key = outcomes[0].key
            content = store.client().get_object(lake.bucket, key).read()
            lake.store.store().put(lake.bucket, f"{lake.folder}/read/p=1/{name}.parquet", content)
            columns = "p UInt64, i UInt64, owner String"
            read = lake.s3(f"read/p=1/{name}.parquet", structure=columns)
            rows = lake.node.query(f"SELECT * FROM s3({read})")
            assert sorted(rows) == contents(source, partition=1) != [], error()

    with And("who listens understands the requests of the open one only"):
        covers("data on the way | encrypted by TLS")
        words = (lake.bucket.encode(), part.encode(), b"PAR1", b"AWS4-HMAC-SHA256")
        assert all(word in open_.heard for word in words), error()
        assert closed.heard and not any(word in closed.heard for word in words), error()

    with And("the store of an unknown authority is refused"):
        assert "its certificate is of no known authority" in untrusted, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Security("1.0"))
@exports()
@leaves_out(
    "credentials | kept in a secure place",
    reason="that they are absent from logs is checked; where they are kept is up to the user",
)
def secrets(self):
    """The keys of the store and the user's password are in no log, table, error or process list."""
    with Given("a table, an S3 table, a log, and marks in the server's log"):
        lake, source, destination = lake_with_tables()
        log = export_log(lake)
        position = lake.node.log_position()
        store = lake.store.store()
        wrong = replace(store, secret_key=f"wrong{store.secret_key[5:]}")

    with When("I export a part, and again with a key that is refused"):
        part = part_of(source)
        done = export(lake, statement(source, part, destination), log=log)
        refused = place_refusal(lake, source, part, "untrusted", store=wrong)

    with Then("one succeeded, the other one says that the key was refused"):
        assert done.error == "", error()
        assert "were refused" in refused, error()

    with And("what is to be found is found, in every place that is looked at"):
        texts = {
            "outcome": repr(done),
            "error": refused,
            **readable_texts(lake, position, log),
        }
        for name in ("server log", "query log", "exports"):
            assert source.name in texts[name], error()
        assert "FORMAT Parquet" in texts["query log"], error()
        assert store.access_key in texts["error"], error()

    with And("no secret is in any of them"):
        covers("credentials | kept in a secure place")
        secrets_ = {
            "the store's key": store.secret_key,
            "the wrong key": wrong.secret_key,
            "the password": lake.node.endpoint.password,
        }
        assert_no_violations(
            {
                name: ", ".join(found)
                for name, secret in secrets_.items()
                if (found := [place for place, text in texts.items() if secret in text])
            }
        )
