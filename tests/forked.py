"""Runs goldsmith's command line, each command in a process of its own, forked from one that has all imported.

A start of Python with the database toolkit takes a second and a fork takes none. Used as a program: it reads
jobs as JSON lines (argv, cwd, env, out, err, user, limits) and answers each with exit code and peak memory.
"""

from __future__ import annotations

import codecs
import encodings
import importlib
import json
import os
import pkgutil
import resource
import signal
import sys
from typing import Any


def serve() -> None:
    import app.verbs
    from app import cli

    for module in pkgutil.iter_modules(app.verbs.__path__, "app.verbs."):
        if module.name != "app.verbs.tour":  # it opens windows
            importlib.import_module(module.name)
    # What another user could not import from folders that are closed to him: all that is imported when needed.
    for name in ("charset_normalizer", "pyarrow.parquet", *(f"encodings.{m.name}" for m in
                                                            pkgutil.iter_modules(encodings.__path__)
                                                            if m.name.startswith(("utf", "ascii", "latin", "cp1252")))):
        importlib.import_module(name)
    codecs.lookup("utf-8-sig")
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(job, cli)
        _, status, usage = os.wait4(child, 0)
        print(json.dumps({"exit": os.waitstatus_to_exitcode(status), "memory": usage.ru_maxrss * 1024}), flush=True)


def _run(job: dict[str, Any], cli: Any) -> None:
    code = 99
    try:
        for place, flags in ((1, job["out"]), (2, job["err"])):
            os.dup2(os.open(flags, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666), place)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(job["cwd"])
        os.environ.update(job["env"])
        if job.get("file_limit"):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (job["file_limit"], job["file_limit"]))
        if job.get("user"):
            os.setgroups([])
            os.setgid(job["user"])
            os.setuid(job["user"])
        sys.argv = ["goldsmith", *job["argv"]]
        sys.excepthook = cli.report_bug
        code = cli.main(job["argv"])
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        code = 70
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
