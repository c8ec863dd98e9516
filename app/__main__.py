"""The command ``goldsmith``: a verb of the command line, or the window."""

from __future__ import annotations

import sys

from app import cli


def main() -> None:
    sys.excepthook = cli.report_bug
    sys.exit(cli.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
