"""Tables whose data is encoded differently: codecs, forms of storage, encodings of characters."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings,
)
from steps.partitions import replace_each, replace_partition
from steps.parts import rewrite
from steps.replace_partition.encodings import (
    ROWS,
    TEXT_COLUMNS,
    TEXTS,
    WIDE,
    Form,
    as_digits,
    coded,
    differs_in_form,
    insert_texts,
    literal,
    table_of,
    texts_of,
    traits,
)
from steps.tables import by_partition, create_table

CODECS = {
    "no codec": coded("NONE", "NONE", "NONE"),
    "LZ4": coded("LZ4", "LZ4", "LZ4"),
    "LZ4HC": coded("LZ4HC(9)", "LZ4HC(3)", "LZ4HC(12)"),
    "ZSTD": coded("ZSTD(1)", "ZSTD(3)", "ZSTD(9)"),
    "Delta": coded("Delta, ZSTD", "Gorilla", "ZSTD"),
    "DoubleDelta": coded("DoubleDelta, LZ4", "FPC, LZ4", "LZ4"),
    "T64": coded("T64, LZ4", "FPC, ZSTD", "NONE"),
    "GCD": coded("GCD, LZ4", "Gorilla, ZSTD", "LZ4HC"),
}
FORMS = {
    "sparse columns": Form(
        settings={"ratio_of_defaults_for_sparse_serialization": 0.0}, shows={"zeros": "Sparse"}
    ),
    "full columns": Form(
        settings={"ratio_of_defaults_for_sparse_serialization": 1.0}, shows={"zeros": "Default"}
    ),
    "granules of one row": Form(settings={"index_granularity": 1}, shows={"granules": ROWS}),
    "granules by size": Form(
        settings={"index_granularity_bytes": 1024, "min_index_granularity_bytes": 1024},
        shows={"several granules": True},
    ),
    "plain marks and keys": Form(
        settings={"compress_marks": 0, "compress_primary_key": 0},
        shows={"compressed marks": False, "compressed index": False},
    ),
    "compressed marks and keys": Form(
        settings={"compress_marks": 1, "compress_primary_key": 1},
        shows={"compressed marks": True, "compressed index": True},
    ),
    "sizes of strings apart": Form(
        settings={"string_serialization_version": "with_size_stream"}, shows={"sizes apart": True}
    ),
    "sizes within strings": Form(
        settings={"string_serialization_version": "single_stream"}, shows={"sizes apart": False}
    ),
    "wide parts": Form(settings=WIDE, shows={"part type": "Wide"}),
    "compact parts": Form(shows={"part type": "Compact", "several granules": False}),
}


@TestOutline
def every_form_into_every_other(self, *, forms):
    """A destination of each form takes a partition from a source of each form."""
    numbered = dict(enumerate(forms, start=1))
    violations = {}
    with Given("a source of each form, with a partition of its own number"):
        sources = {
            number: table_of("source", forms[name], [number]) for number, name in numbered.items()
        }
        written = {number: traits(source)[number] for number, source in sources.items()}

    for name, form in forms.items():
        with Given(f"a destination: {name}"):
            destination = table_of("destination", form, [0, *numbered])
            cells = {number: f"{source} to {name}" for number, source in numbered.items()}

        with When("I replace a partition from each source"):
            for wrong in replace_each(destination, sources, cells):
                cell, _, reason = wrong.partition(": ")
                violations[cell] = reason
            taken, shown = by_partition(destination), traits(destination)
            for number, source in numbered.items():
                if (
                    differs_in_form(forms[source], shown[number])
                    or shown[number] != written[number]
                ):
                    violations[cells[number]] = f"not in the form of the source: {shown[number]}"

        with When("a merge writes the destination anew"):
            rewrite(destination)
            merged, shown = by_partition(destination), traits(destination)
            for number in (0, *numbered):
                cell = f"{cells.get(number, name)}, merged"
                if merged[number] != taken[number]:
                    violations[cell] = "other rows"
                elif differs_in_form(form, shown[number], merged=True):
                    violations[cell] = f"not in the form of the destination: {shown[number]}"

    with Then("every one has the rows and the form of the source, and after a merge its own form"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def every_codec_into_every_codec(self):
    """Columns of any codec take the place of columns of any other."""
    every_form_into_every_other(forms=CODECS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Encodings("1.0"))
def every_form_into_every_form(self):
    """So do sparse and full columns, granules of any size, marks and strings kept in other ways."""
    every_form_into_every_other(forms=FORMS)


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
        rewrite(destination)
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
            actual = sorted(destination.node.query(f"SELECT hex(s), owner FROM {destination}"))
            wrong += [name] if actual != sorted(owners.items()) else []

    with Then("each time that partition was replaced, and no other"):
        assert wrong == [], error()
