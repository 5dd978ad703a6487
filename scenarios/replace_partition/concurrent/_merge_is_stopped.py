"""The outline of two topics: a merge that the background begins, and REPLACE PARTITION."""

from testflows.asserts import error
from testflows.core import And, TestOutline, Then, When

from helpers.scenario.violations import assert_no_violations
from steps.replace_partition.held_statements import (
    in_progress,
    not_stopped,
    seen_in_progress,
    waiting_replace,
)
from steps.replace_partition.slow_merges import NATURAL_SECONDS


@TestOutline
def background_merge_is_stopped(self, *, destination, source):
    """A slow merge that the background is about to begin is stopped by REPLACE PARTITION."""
    with Then("the background begins a merge"):
        task = seen_in_progress(destination, mutation=False)

    with When("I replace the partition while it is in progress"):
        assert in_progress(destination) == [task], error()
        replace = waiting_replace(destination, source=source)
        replace.wait()

    with Then("the merge has been stopped"):
        assert_no_violations(not_stopped(task, replace, destination=destination, source=source))

    with And("the statement did not wait for its natural end"):
        assert replace.elapsed < NATURAL_SECONDS, error()
