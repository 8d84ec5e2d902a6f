"""The process that makes a scheduled backup: ``python -m arrocco.operation.backups.worker``.

A process of its own and of low priority, so that no page and no clock waits while it packs.
"""

from __future__ import annotations

import signal
import sys
from contextlib import closing
from pathlib import Path

import msgspec

from arrocco.desk import Office, utc_now
from arrocco.desk.replay_files import lower_priority
from arrocco.errors import Refusal
from arrocco.operation.backups.create import make_backup
from arrocco.operation.backups.scheduler import Order


def main() -> int:
    """Makes the backup that is ordered through the input; the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # what was begun is then taken away
    lower_priority()
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    try:
        with closing(Office.open_to_read(Path(order.folder), database=order.database)) as office:
            make_backup(office.folder, office.desk.database, order.wanted, utc_now())
    except (Refusal, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
