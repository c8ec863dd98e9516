"""The command line: finds the verb, runs it, and turns what it returns into text, JSON and an exit code.

Exit codes: 0 done; 1 done and found faults; 2 usage; 3 input refused, nothing changed;
4 store locked or too new; 70 a bug. docs/cli.md describes every verb.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TextIO

from annotation.canonical import check_text
from annotation.errors import N_, Refused, Unknown, Where, beside_its_place
from annotation.store.device import home
from annotation.version import VERSION

# verb -> (module with `arguments(parser)` and `run(call)`, what it does). Modules are loaded when called,
# so that `protocols check` does not wait for the database toolkit.
VERBS: dict[str, tuple[str, str]] = {
    "new": ("app.verbs.new", "make a project from a protocol"),
    "import": ("app.verbs.bring_in", "bring items in from a file or a folder of images"),
    "answers": ("app.verbs.answers", "bring in answers that were given elsewhere"),
    "people": ("app.verbs.people", "list people, add one, change roles"),
    "assign": ("app.verbs.assign", "say who works on which items"),
    "status": ("app.verbs.status", "counts of items, stages, people, gold and releases"),
    "agreement": ("app.verbs.agreement", "how far people agree, with an interval"),
    "gold": ("app.verbs.gold", "the answers that stand, and what is missing"),
    "recheck": ("app.verbs.recheck", "send items to a round of looking again"),
    "second": ("app.verbs.second", "decide again, blind, what another adjudicator decided"),
    "preflight": ("app.verbs.preflight", "what is to be settled or waived before a release"),
    "waive": ("app.verbs.waive", "take a finding on, with a reason that travels in the bundle"),
    "errata": ("app.verbs.errata", "say why released gold becomes another"),
    "release": ("app.verbs.release", "freeze gold as a draft or final release"),
    "diff": ("app.verbs.diff", "what changed between two releases, and why"),
    "export": ("app.verbs.export", "write a release as a bundle or as tables"),
    "stale": ("app.verbs.stale", "items whose text changed after answers: keep these, or ask again"),
    "withdraw": ("app.verbs.withdraw", "take items or a person's answers out for good"),
    "verify": ("app.verbs.verify", "check a bundle or a project, offline"),
    "score": ("app.verbs.score", "score predictions against a bundle"),
    "protocols": ("app.verbs.protocols", "list, show or check protocols"),
    "study": ("app.verbs.study", "sit for a timed study; measure the timing of this machine"),
    "tour": ("app.verbs.tour", "do the whole job on demo data and compare every step"),
    "doctor": ("app.verbs.doctor", "check this installation and a project"),
    "backup": ("app.verbs.backup", "copy a project's store into one file"),
}


# Without any of these, Qt aborts the process on Linux instead of saying why.
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


class Usage(Refused):
    """A command that cannot be understood."""

    exit_code = 2
    code = "usage"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verb returns: the keys of its JSON object, its lines as text, and whether it found faults."""

    data: dict[str, Any]
    lines: Sequence[str] = ()
    faults: bool = False


@dataclass(slots=True)
class Call:
    """One call of a verb: its arguments, who acts, and where progress goes."""

    args: argparse.Namespace
    handle: str | None
    as_json: bool
    quiet: bool
    _width: int = field(default=0)

    def progress(self, done: int, of: int | None = None) -> None:
        """A counter on stderr, where a person is looking."""
        if not self.quiet and sys.stderr.isatty():
            text = f"{done:,} of {of:,}" if of else f"{done:,}"
            self._width = max(self._width, len(text))
            sys.stderr.write("\r" + text.ljust(self._width))

    def say(self, text: str) -> None:
        """A sentence beside the result: stderr, unless --quiet."""
        if not self.quiet:
            print(text, file=sys.stderr)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Usage(N_("{message}. See: {program} --help"), message=message, program=self.prog)

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Files may stand after options (BUNDLE --baselines FILE), but argparse cannot have that beside deeds."""
        return self.parse_args(words) if self._subparsers is not None else self.parse_intermixed_args(words)


def main(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code. Bugs propagate (see report_bug)."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    verb = "goldsmith"
    as_json = "--json" in argv
    try:
        _check_words(argv)
        rest, handle, as_json, quiet = _global_options(list(argv))
        verb = rest[0] if rest and rest[0] in VERBS else "goldsmith"
        if rest and rest[0] in ("-h", "--help"):
            print(help_text())
            return 0
        if rest and rest[0] == "--version":
            print(f"goldsmith {VERSION}")
            return 0
        if verb == "goldsmith":
            return _window(rest, handle)
        module = importlib.import_module(VERBS[verb][0])
        parser = Parser(prog=f"goldsmith {verb}", description=VERBS[verb][1], allow_abbrev=False)
        module.arguments(parser)
        call = Call(parser.read(rest[1:]), handle, as_json, quiet)
        run: Callable[[Call], Outcome] = module.run
        outcome = run(call)
    except Refused as refused:
        _tell(refused, verb, as_json)
        return refused.exit_code
    if as_json:
        _print_json({"ok": not outcome.faults, "schema": f"goldsmith/{verb}/1", **outcome.data})
    else:
        for line in outcome.lines:
            print(line)
    return 1 if outcome.faults else 0


def help_text() -> str:
    lines = ["goldsmith [PROJECT] [--as HANDLE] [--theme light|dark|contrast]   opens the window",
             "goldsmith VERB ... [--json] [--as HANDLE] [--quiet]", "", "verbs:"]
    lines += [f"  {verb:<10} {what}" for verb, (_, what) in VERBS.items()]
    return "\n".join([*lines, "", "goldsmith VERB --help says more; goldsmith --version says which one this is."])


def _check_words(argv: Sequence[str]) -> None:
    """Bytes that are no UTF-8 reach Python as halves of characters, which cannot be stored or printed."""
    for word in argv:
        try:
            check_text(word)
        except Refused:
            shown = word.encode(errors="replace").decode()
            raise Usage(N_("'{word}' is not UTF-8; give the file another name"), word=shown,
                        where=Where(value=shown[:80])) from None


def _global_options(argv: list[str]) -> tuple[list[str], str | None, bool, bool]:
    """Take --json, --quiet and --as HANDLE out of any place before ``--``."""
    rest: list[str] = []
    handle: str | None = None
    as_json = quiet = False
    words = iter(argv)
    for word in words:
        if word == "--json":
            as_json = True
        elif word == "--quiet":
            quiet = True
        elif word == "--as" or word.startswith("--as="):
            handle = word[5:] if word.startswith("--as=") else next(words, None)
            if not handle:
                raise Usage(N_("--as wants the handle of a person"))
        else:
            rest.append(word)
            if word == "--":
                rest += words
    return rest, handle, as_json, quiet


def _window(rest: list[str], handle: str | None) -> int:
    parser = Parser(prog="goldsmith", add_help=False, allow_abbrev=False)
    parser.add_argument("project", nargs="?")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"))
    parser.add_argument("--quit-after-first-paint", action="store_true")
    args, more = parser.parse_known_args(rest)
    named = args.project
    if named and not (named.startswith("postgresql") or named.endswith(".goldsmith") or Path(named).exists()):
        raise Unknown(N_("There is no verb and no project '{name}'. Verbs: {verbs}."), name=named,
                      verbs=", ".join(VERBS), code="usage")
    if more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    check_display()
    from app import gui  # the one door to the windows: Qt is loaded only for them

    return gui.main(named, person=handle, theme=args.theme, quit_after_first_paint=args.quit_after_first_paint)


def check_display() -> None:
    """Refused where Qt could only abort."""
    if sys.platform.startswith("linux") and not any(map(os.environ.get, DISPLAYS)):
        raise Refused(N_("There is no display to open a window on. The verbs work without one: goldsmith --help"),
                      code="no_display")


def _tell(refused: Refused, verb: str, as_json: bool) -> None:
    if as_json:
        where = {k: v for k, v in asdict(refused.where).items() if k != "item"}
        error = {"code": refused.code, "message": str(refused), **where}
        _print_json({"ok": False, "schema": f"goldsmith/{verb}/1", "error": error})
    beside = place(refused)
    print(beside + (beside_its_place(str(refused), refused.where.line) if beside else str(refused)), file=sys.stderr)


def place(refused: Refused) -> str:
    """``file:line:column: `` as far as it is known and the sentence does not begin with it, or say as much itself."""
    where = refused.where
    if not where.file or str(refused).startswith(f"{where.file}:") or (not where.line and where.file in str(refused)):
        return ""
    return ":".join(str(part) for part in (where.file, where.line, where.column) if part is not None) + ": "


def _print_json(value: dict[str, Any], stream: TextIO | None = None) -> None:
    print(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1), file=stream or sys.stdout)


def report_bug(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """The excepthook of the command: one sentence, the trace in a file, exit code 70."""
    if issubclass(kind, KeyboardInterrupt):
        print("stopped", file=sys.stderr)
        sys.stderr.flush()
        os._exit(130)
    text = "".join(traceback.format_tb(trace)) + kind.__name__  # its message may quote an answer: left out
    try:
        home().mkdir(parents=True, exist_ok=True)
        target = home() / "bug-report.txt"
        target.write_text(text, encoding="utf-8")
        print(f"goldsmith met a bug ({kind.__name__}); the report is in {target}", file=sys.stderr)
    except OSError:
        print(text, file=sys.stderr)
    if "--json" in sys.argv:
        error = dict.fromkeys(("file", "line", "column", "key", "value")) | {
            "code": "bug", "message": f"goldsmith met a bug ({kind.__name__})"}
        _print_json({"ok": False, "schema": "goldsmith/bug/1", "error": error})
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(70)
