"""scorer.pyz: the scorer as one file that runs with Python and numpy alone."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("annotation/errors.py", "annotation/registry.py", "annotation/canonical.py",
         "annotation/agreement/intervals.py", "annotation/agreement/student.py", "annotation/collecting.py")
PACKAGES = ("annotation", "annotation/agreement", "exports")  # their own __init__ hold a sentence and no import
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can say
NOTICE = """\
Goldsmith scorer
Copyright 2026 the Goldsmith authors

Licensed under the Apache License, Version 2.0 (the file LICENSE in this archive, or
http://www.apache.org/licenses/LICENSE-2.0): all files of this archive, whatever the licence of the program they come
from and of the data that stand beside it.

    python3 scorer.pyz BUNDLE [NAME=]PREDICTIONS.. [--json] [--help]
"""
MAIN = '''\
# SPDX-License-Identifier: Apache-2.0
"""Scores predictions against a bundle: python3 scorer.pyz BUNDLE [NAME=]PREDICTIONS.."""

import sys

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit("scorer.pyz needs numpy: python3 -m pip install numpy")

from exports.scorer.command import main

sys.exit(main())
'''


def scorer_file() -> bytes:
    """The archive's bytes: the same for the same sources, on every machine.

    Stored and not deflated: what zlib makes of the same bytes differs from one build of it to the next.
    """
    files = {"__main__.py": MAIN.encode(), "NOTICE": NOTICE.encode(), "LICENSE": _text("LICENSE.Apache-2.0")}
    for path in PARTS:
        files[path] = _text(path)
    for file in (ROOT / "exports" / "scorer").rglob("*.py"):
        files[file.relative_to(ROOT).as_posix()] = file.read_bytes().replace(b"\r\n", b"\n")
    for package in PACKAGES:
        files[f"{package}/__init__.py"] = b"# SPDX-License-Identifier: Apache-2.0\n"
    out = io.BytesIO(b"")
    out.write(b"#!/usr/bin/env python3\n")
    with zipfile.ZipFile(out, "a", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            about = zipfile.ZipInfo(name, EPOCH)
            about.create_system, about.external_attr = 3, 0o644 << 16
            archive.writestr(about, files[name])
    return out.getvalue()


def _text(path: str) -> bytes:
    """A file of the program; the licence is not part of an installed one, its address in NOTICE is."""
    file = ROOT / path
    return file.read_bytes().replace(b"\r\n", b"\n") if file.is_file() else b""
