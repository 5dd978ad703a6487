"""Scenarios that end in every way there is, all in one topic."""

BODY = """
THREE = {"3": "is not 4"}


def ask(sql):
    return this().node().value(sql)


def is_four(sql):
    from helpers.scenario.violations import assert_no_violations

    number = ask(sql)
    assert_no_violations({} if number == 4 else {str(number): "is not 4"})


@TestScenario
def good(self):
    with Given("a table"):
        this().node().query("CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x")
        this().node().query("INSERT INTO t VALUES", data=[(1,), (2,)])
    with Then("it has its rows"):
        assert ask("SELECT sum(x) FROM t") == 3, error()


@TestScenario
def fails(self):
    with Given("a number"):
        number = ask("SELECT 41")
    with Then("it's the answer: 42."):
        assert number == 42, error()


@TestScenario
def fails_on_one_line(self):
    with Then("it is the answer"): assert ask("SELECT 41") == 42, error()


@TestScenario
def breaks(self):
    with When("I do something impossible"):
        raise ValueError("out of cheese")


@TestScenario
def refused_query(self):
    with When("I ask nonsense"):
        ask("SELECT nonsense_column")
    with Then("nothing"):
        pass


@TestScenario
def skips_itself(self):
    from testflows.core import skip
    with When("I do not feel like it"):
        skip("tired")
    with Then("it holds"):
        assert ask("SELECT 1") == 1, error()


@TestScenario
def checks_nothing(self):
    with When("I ask"):
        ask("SELECT 1")


@TestScenario
def ends_early_by_ok(self):
    from testflows.core import ok
    with Then("it claims success"):
        ok("trust me")
    with And("what comes after it does not hold"):
        assert ask("SELECT 1") == 2, error()


@TestScenario
def known_fail(self):
    from testflows.core import xfail
    with Then("it fails by flag"):
        xfail("everybody knows")


@TestScenario
def waits_in_vain(self):
    def answer_is_two():
        answer = ask("SELECT 1")
        assert answer == 2, error()
        return True
    with Then("it becomes two"):
        this().eventually(answer_is_two, timeout=0.2)


@TestScenario
def asserts_without_error(self):
    with Then("it is two"):
        assert ask("SELECT 1") == 2


@TestScenario
def asks_for_more_than_there_is(self):
    from helpers.cluster.client.failures import Unavailable
    with Given("a second moon"):
        raise Unavailable("a second moon: there is one")
    with Then("never reached"):
        assert False, error()


@TestScenario
@needs(Capability.REPLICATION)
def blocked(self):
    with Then("never reached"):
        assert False, error()


@TestScenario
@deviates(step="three is four", observed=THREE, reason="numbers are hard", upstream="https://example.com/1")
def deviates_as_recorded(self):
    with Then("three is four"):
        is_four("SELECT 3")


@TestScenario
@deviates(step="three is four", observed=THREE, reason="numbers are hard")
def deviates_elsewhere(self):
    with Then("two is four"):
        is_four("SELECT 2")
    with And("three is four"):
        is_four("SELECT 3")


@TestScenario
@deviates(step="three is three", observed=THREE, reason="numbers are hard")
def deviation_is_gone(self):
    with Then("three is three"):
        assert ask("SELECT 3") == 3, error()


@TestScenario
@deviates(when="clickhouse < 20", step="three is four", observed=THREE, reason="old times")
def deviation_of_another_version(self):
    with Then("three is three"):
        assert ask("SELECT 3") == 3, error()


@TestScenario
def node_dies(self):
    import os, signal
    with When("the server is killed by somebody else"):
        os.kill(this().node().pid, signal.SIGKILL)
    with Then("it answers"):
        assert ask("SELECT 1") == 1, error()


@TestScenario
def node_is_asked_for_after_its_death(self):
    import os, signal
    node = this().node()
    with When("the server is killed by somebody else, and has ended"):
        os.kill(node.pid, signal.SIGKILL)
        this().eventually(lambda: not node.running)
    with Then("it is not started again"):
        assert ask("SELECT 1") == 1, error()


@TestScenario
def node_dies_silently(self):
    import os, signal
    with Then("it answers"):
        assert ask("SELECT 1") == 1, error()
    with When("the server is killed and nobody asks it again"):
        os.kill(this().node().pid, signal.SIGKILL)


@TestScenario
def leaves_a_statement_behind(self):
    with Then("it answers"):
        assert ask("SELECT 1") == 1, error()
    this().node().background("SELECT sleep(3)")


@TestScenario
@Name("good again")
def after_all_that(self):
    with Then("there is a fresh server without the tables of others"):
        assert ask("SELECT count() FROM system.tables WHERE name = 't'") == 0, error()
"""
