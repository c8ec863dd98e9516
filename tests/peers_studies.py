"""The official validator of BIDS reads what the format "bids" wrote; it lives in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exports.studies.writing import write_study
from tests import study_world as world

VALIDATOR = "bids-validator-deno==3.0.2"
APART = Path(__file__).resolve().parent.parent / ".venv" / "peers-bids"


def rows() -> Iterator[dict[str, Any]]:
    """One row a check: {program, what, errors, warnings, ok, why}."""
    program = _program()
    if program is None:
        yield {"program": VALIDATOR, "what": "BIDS", "ok": False, "why": "its environment could not be made here"}
        return
    for n, broken, pictured in ((1, False, False), (4, False, False), (2, False, True), (1, True, False),
                                (1, True, True)):
        with tempfile.TemporaryDirectory() as folder:
            with (world.make_pictured if pictured else world.make)(Path(folder, "p.goldsmith")) as store:
                study = world.add(store, world.PICTURED if pictured else world.STUDY)
                for _ in range(n):
                    world.sit(store, study)
                with store.read() as session:
                    write_study(session, study, Path(folder, "bids"), format="bids")
            if broken and pictured:
                for file in Path(folder, "bids", "stimuli").iterdir():
                    file.unlink()
            elif broken:  # a validator that is content with anything says nothing
                table = next(Path(folder, "bids").glob("sub-*/beh/*.tsv"))
                table.write_text(table.read_text("utf-8").replace("\t", ",", 3), "utf-8")
            done = subprocess.run([str(program), str(Path(folder, "bids")), "--json"], capture_output=True, text=True,
                                  check=False)
        row = _told(n, done)
        row["what"] += " with pictures" if pictured else ""
        yield {**row, "what": f"{row['what']}, broken", "ok": bool(row.get("errors"))} if broken else row


def _told(n: int, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    row: dict[str, Any] = {"program": VALIDATOR, "what": f"BIDS of {n} participants"}
    try:
        issues = json.loads(done.stdout)["issues"]["issues"]
    except (ValueError, KeyError):
        return {**row, "ok": False, "why": done.stderr[-300:] or "it said nothing"}
    errors = [one for one in issues if one["severity"] == "error"]
    said = [f"{one['code']} {one.get('subCode') or ''} {one.get('location') or ''}".strip() for one in errors]
    warned = sorted({one["code"] for one in issues if one["severity"] != "error"})
    return {**row, "errors": len(errors), "warnings": warned, "ok": not errors and bool(issues or not done.returncode),
            "why": "; ".join(said)}


def _program() -> Path | None:
    def found() -> Path | None:
        return next((p for p in (APART / "bin" / "bids-validator-deno", APART / "Scripts" / "bids-validator-deno.exe")
                     if p.exists()), None)

    if found() is None:
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([sys.executable, "-m", "venv", str(APART)], check=False, **quiet)
        subprocess.run([str(APART / "bin" / "python"), "-m", "pip", "install", "--quiet", "--only-binary", ":all:",
                        VALIDATOR], check=False, **quiet)
    return found()


def told(row: dict[str, Any]) -> str:
    """One line for people."""
    return (f"{row['program']:<28} {row['what']:<32} {'ok' if row['ok'] else 'NOT OK'}; "
            f"errors {row.get('errors', '-')}; "
            f"{row['why'] or 'warned: ' + ', '.join(row.get('warnings', []))}")
