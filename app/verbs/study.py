"""goldsmith study: timed studies, from the check of a text to the export of trials; this file: sitting, and timing."""

from __future__ import annotations

import argparse

from app.cli import Call, Outcome, check_display
from app.verbs import project, study_demo, study_keeping


def arguments(parser: argparse.ArgumentParser) -> None:
    deeds = parser.add_subparsers(dest="deed", metavar="DEED", required=True)
    run = deeds.add_parser("run", help="a sitting of a study, full screen", allow_abbrev=False)
    project.argument(run)
    run.add_argument("study", metavar="STUDY", help="its id, or the first digits of its hash")
    run.add_argument("--participant", metavar="HANDLE", help="who sits: an opaque handle (default: a new one, p001 ..)")
    run.add_argument("--pilot", action="store_true", help="a trial of the study itself: never counted")
    run.add_argument("--language", default="", metavar="L", help="en, de ..; where there are several, else asked")
    run.add_argument("--screen", type=int, default=0, metavar="N", help="which screen, from 1 (default: the first)")
    run.add_argument("--resume", action="store_true", help="go on with the sitting that was interrupted")
    run.add_argument("--self-test", action="store_true", help="measure this machine first; kept with the sitting")
    run.add_argument("--theme", choices=("light", "dark", "contrast"), help="for this sitting alone")
    test = deeds.add_parser("self-test", help="the timing of frames and keys on this machine", allow_abbrev=False)
    test.add_argument("--frames", type=int, default=300, metavar="N", help="how many frames are timed (300)")
    test.add_argument("--keys", type=int, default=100, metavar="N", help="how many keys are pressed by itself (100)")
    test.add_argument("--screen", type=int, default=0, metavar="N", help="which screen, from 1 (default: the first)")
    study_keeping.add_deeds(deeds)
    study_demo.add_deed(deeds)


def run(call: Call) -> Outcome:
    return {"run": _run, "self-test": _self_test, "demo": study_demo.run, **study_keeping.DEEDS}[call.args.deed](call)


def _run(call: Call) -> Outcome:
    args = call.args
    check_display()
    from app import gui  # the door to the windows: Qt is loaded only for them

    data = gui.sit(args.project, person=call.handle, theme=args.theme, study=args.study, participant=args.participant,
                   pilot=args.pilot, language=args.language, screen=args.screen, resume=args.resume,
                   self_test=args.self_test)
    said = f"{data['participant']}: {data['state']}, {data['done']} of {data['planned']} trials"
    return Outcome(data, [said + (" (pilot)" if data["pilot"] else "")], faults=data["state"] != "completed")


def _self_test(call: Call) -> Outcome:
    check_display()
    from app import gui  # as in _run

    data = gui.self_test(frames=call.args.frames, keys=call.args.keys, screen=call.args.screen)
    return Outcome(data, [*(f"{name:<34}{value}" for name, value in data["table"]), "", data["verdict"]],
                   faults=not data["good"])
