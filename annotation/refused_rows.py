"""Refused rows as a file to mend: JSON lines ``{"error": .., "row": ..}``, there only once all is decided."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

from annotation.errors import N_, Refused, Where

_IN_MEMORY = 8 * 1024 * 1024


class RefusedFile:
    """Collects rows apart; ``write`` puts NAME.part beside the target, and leaving without a fault renames it."""

    def __init__(self, source: Path, path: Path | None) -> None:
        self.path = path or Path(f"{source.name}.refused.jsonl")
        self._part = self.path.with_name(f"{self.path.name}.part")
        self._source = source
        self._rows = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed by __exit__
        self._n = 0
        self._written = False

    def add(self, refusal: dict[str, Any], row: Any) -> None:
        self._n += 1
        self._rows.write(json.dumps({"error": refusal, "row": row}, default=str).encode("ascii") + b"\n")

    def write(self) -> None:
        """Write what was collected, if anything, so that a full or closed folder is met before the commit."""
        if not self._n:
            return
        if self.path.exists() and self.path.resolve() == self._source.resolve():
            raise Refused(N_("the refused rows would be written over '{file}'; name another file with --refused"),
                          code="exists", file=self.path.name)
        self._rows.seek(0)
        try:
            with self._part.open("wb") as out:
                self._written = True
                while block := self._rows.read(1 << 20):
                    out.write(block)
        except OSError as fault:
            raise Refused(N_("the refused rows cannot be written to '{file}' ({what}); name another file with "
                             "--refused"), code="not_writable", where=Where(file=self.path.name), file=str(self.path),
                          what=fault.strerror or str(fault)) from None

    def __enter__(self) -> RefusedFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._rows.close()
        if not self._written:
            return
        if kind is None:
            self._part.replace(self.path)
        else:
            self._part.unlink(missing_ok=True)


def file_sha256(path: Path) -> str:
    """Of a file's bytes; of a folder's names and sizes."""
    digest = hashlib.sha256()
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file():
                digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\n".encode(errors="replace"))
        return digest.hexdigest()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
