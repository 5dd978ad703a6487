"""What a worker says when it fails outside of a scenario."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

from helpers.runner.protocol import EventWriter

FULL = (errno.ENOSPC, errno.EDQUOT)


def give_up(events: EventWriter, folder: Path, error: BaseException) -> None:
    """Tell the supervisor, which ends this worker and starts another one.

    On a full disk another one could do no better: the run ends.
    """
    if isinstance(error, OSError) and error.errno in FULL:
        reason = f"Could not write in {folder}: {error.strerror}. Make room and run again."
        events.send("environment failed", reason=reason, slow=False)
        return
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    events.send("gave up", reason=reason, details=traceback.format_exc())
