"""Tables whose data is encoded differently: codecs, forms of storage, encodings of characters."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings,
)
from steps.encodings import (
    TEXT_COLUMNS,
    TEXTS,
    Form,
    as_digits,
    insert_texts,
    kept_in_sparse_form,
    literal,
    replace_every_form,
    table_of,
    texts_of,
)
from steps.partitions import replace_partition
from steps.tables import create_table

CODECS = {
    "no codec": Form(("NONE", "NONE", "NONE")),
    "LZ4": Form(("LZ4", "LZ4", "LZ4")),
    "LZ4HC": Form(("LZ4HC(9)", "LZ4HC(3)", "LZ4HC(12)")),
    "ZSTD": Form(("ZSTD(1)", "ZSTD(3)", "ZSTD(9)")),
    "Delta": Form(("Delta, ZSTD", "Gorilla", "ZSTD")),
    "DoubleDelta": Form(("DoubleDelta, LZ4", "FPC, LZ4", "LZ4")),
    "T64": Form(("T64, LZ4", "FPC, ZSTD", "NONE")),
    "GCD": Form(("GCD, LZ4", "Gorilla, ZSTD", "LZ4HC")),
}
SPARSE = Form(settings={"ratio_of_defaults_for_sparse_serialization": 0.0})
FULL = Form(settings={"ratio_of_defaults_for_sparse_serialization": 1.0})
FORMS = {
    "sparse columns": SPARSE,
    "full columns": FULL,
    "granules of one row": Form(settings={"index_granularity": 1}),
    "granules by size": Form(
        settings={"index_granularity_bytes": 1024, "min_index_granularity_bytes": 1024}
    ),
    "plain marks and keys": Form(settings={"compress_marks": 0, "compress_primary_key": 0}),
    "sizes of strings apart": Form(settings={"string_serialization_version": "with_size_stream"}),
    "sizes within strings": Form(settings={"string_serialization_version": "single_stream"}),
    "wide parts": Form(settings={"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}),
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def every_codec_into_every_codec(self):
    """Columns of any codec take the place of columns of any other."""
    with When("I replace a partition for each pair of codecs"):
        wrong = replace_every_form(CODECS)

    with Then("every one has the rows of the source, before and after a merge"):
        assert wrong == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def every_form_into_every_form(self):
    """So do sparse and full columns, granules of any size, marks and strings kept in other ways."""
    with Given("a sparse form that is sparse and a full one that is not"):
        assert kept_in_sparse_form(table_of("sparse", SPARSE, [1])), error()
        assert not kept_in_sparse_form(table_of("full", FULL, [1])), error()

    with When("I replace a partition for each pair of forms"):
        wrong = replace_every_form(FORMS)

    with Then("every one has the rows of the source, before and after a merge"):
        assert wrong == [], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def strings_byte_for_byte(self):
    """Strings in any encoding of characters, or in none, arrive byte for byte in columns of any type."""
    with Given("a source with a string in every encoding, and a destination with other strings"):
        texts = list(TEXTS.values())
        source, destination = (
            create_table(name, columns=TEXT_COLUMNS) for name in ("one", "other")
        )
        insert_texts(source, texts)
        insert_texts(destination, [name.encode() for name in TEXTS])
        expected = as_digits(texts)
        assert texts_of(source) == expected and texts_of(destination) != expected, error()

    with When("I replace the partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("every string has the bytes it had"):
        assert texts_of(destination) == expected, error()

    with And("still has them when they were written anew"):
        destination.node.query(f"OPTIMIZE TABLE {destination} FINAL")
        assert texts_of(destination) == expected, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def partitions_named_in_any_encoding(self):
    """The string that names a partition may be in any encoding too: that one is replaced, no other."""
    with Given("two tables with a partition for every string"):
        tables = [
            create_table(name, columns="s String, owner String", partition_by="s", order_by="owner")
            for name in ("source", "destination")
        ]
        source, destination = tables
        rows = ", ".join(f"({literal(text)})" for text in TEXTS.values())
        for table in tables:
            table.node.query(
                f"INSERT INTO {table} SELECT s, '{table.name}' FROM VALUES('s String', {rows})"
            )
        owners = {text.hex().upper(): destination.name for text in TEXTS.values()}
    wrong = []

    for name, text in TEXTS.items():
        with When(f"I replace the partition named in {name}"):
            replace_partition(destination, source=source, partition=literal(text))
            owners[text.hex().upper()] = source.name
            found: dict[str, str] = dict(
                destination.node.query(f"SELECT hex(s), owner FROM {destination}")
            )
            wrong += [name] if found != owners else []

    with Then("each time that partition was replaced, and no other"):
        assert wrong == [], error()
