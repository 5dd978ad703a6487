"""The machinery: clusters, runner, reports. It knows no feature by name."""

import sys

# TestFlows imports its uploader of logs, and with it an HTTP client, in every process: a tenth of a start
# for what nobody here calls. It does without where the module is missing.
sys.modules.setdefault("testflows.database", None)  # type: ignore[arg-type]
