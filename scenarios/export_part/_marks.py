"""What every scenario of exports says about itself."""

from collections.abc import Callable

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import Marked, needs_spark, tests_exporter


def exports(*capabilities: Capability, seconds: float = 300.0) -> Callable[[Marked], Marked]:
    """The scenario needs what an export needs, and these capabilities."""

    def mark(scenario: Marked) -> Marked:
        needed = needs_spark(*capabilities, seconds=seconds)(scenario)
        return tests_exporter("this server has no EXPORT PART")(needed)

    return mark
