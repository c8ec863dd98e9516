#!/usr/bin/env python3
"""The repository's machinery: makes the environment, runs the program, its tests and its proofs.

Standard library only, Python 3.11 or newer, Linux, macOS and Windows. Exit: 0 good, 1 failed,
2 usage or a verb whose part is not built yet.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "requirements-dev.lock"

USAGE = """usage: python3 dev.py VERB
  setup                        make .venv, install the lock and the program
  run [ARGS]                   open the window (without a display: the tour)
  test [--all] [-- ARGS]       run the tests; ARGS go to pytest
  bench [NAME] [--json]        figures beside their targets
  reliability [--kills N]      kill the program while it saves, look what is lost
  cases DIR [--json]           check statistics and scores against a folder of cases
  peers                        compare with other programs
  pictures DIR                 pictures of every page
  coverage                     how often the intervals hold the true value"""

# Verbs that are a module of their own; the file may come later than the verb.
MODULES = {
    "bench": "tests.bench", "reliability": "tests.reliability", "cases": "tests.cases",
    "peers": "tests.peers", "pictures": "app.pictures", "coverage": "tests.coverage",
}

# Debian's names for what Qt loads and the wheels do not carry, and for what only the tests need.
FOR_QT = """libglib2.0-0 libgl1 libegl1 libxkbcommon0 libfontconfig1 libfreetype6 libdbus-1-3 libx11-6
    libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
    libxcb-xkb1 libxkbcommon-x11-0 libx11-xcb1""".split()
FOR_TESTS = ["xvfb", "xauth", "libxtst6", "postgresql"]


def main(argv: list[str]) -> int:
    verb, args = (argv[0], argv[1:]) if argv else ("", [])
    if verb in ("-h", "--help", "help"):
        print(USAGE)
        return 0
    if verb in MODULES:
        if not _file_of(MODULES[verb]):
            print(f"{verb}: not built yet")
            return 2
        setup()
        return _python("-m", MODULES[verb], *args)
    if verb == "setup" and not args:
        setup()
        return 0
    if verb == "run":
        return run(args)
    if verb == "test":
        ours, theirs = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        if set(ours) <= {"--all"}:
            return test(everything="--all" in ours, args=theirs)
    print(USAGE, file=sys.stderr)
    return 2


def setup(*, for_tests: bool = True) -> None:
    """Make .venv what the lock says; does nothing where nothing changed. Ends the program where it cannot."""
    if sys.version_info < (3, 11):
        sys.exit(f"Goldsmith needs Python 3.11 or newer; this is {sys.version.split()[0]} ({sys.executable}).")
    if shutil.which("apt-get"):
        _install_packages(FOR_QT, needed=True)
        if for_tests:
            _install_packages(FOR_TESTS, needed=False)
    stamp = VENV / "installed"
    wanted = hashlib.sha256(b"\0".join(path.read_bytes() for path in (LOCK, ROOT / "pyproject.toml"))).hexdigest()
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return
    if not PYTHON.exists() or _python("-c", "import pip", quiet=True):
        _make_venv()
    _say("installing the lock (some hundred megabytes the first time)")
    pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    # Wheels only: a build would fetch its own tools, which no hash of the lock guards.
    failed = _python(*pip, "--require-hashes", "--only-binary", ":all:", "-r", str(LOCK)) or _python(
        *pip, "--no-deps", "--no-index", "--no-build-isolation", "--editable", str(ROOT)
    )
    if failed:
        sys.exit(1)
    stamp.write_text(wanted)


def run(args: list[str]) -> int:
    setup(for_tests=False)
    screen = sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")))
    if screen:
        return _python("-m", "app", *args)
    folder = tempfile.mkdtemp(prefix="goldsmith-tour-")
    _say(f"no display here: running the tour instead, into {folder}")
    return _python("-m", "app", "tour", "--out", folder, *(arg for arg in args if arg in ("--json", "--quiet")))


def test(*, everything: bool, args: list[str]) -> int:
    """Two pytest runs, since a process has one Qt platform: all offscreen, then what needs a real X server."""
    setup()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="goldsmith-test-") as folder:
        for name, platform in (("offscreen", "offscreen"), ("screen", None)):
            marks = ("not xvfb" if platform else "xvfb") + ("" if everything else " and not slow")
            report = Path(folder, f"{name}.xml")
            # One screen has one keyboard focus, so its tests take turns.
            spread = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"] if platform and not args else []
            command = ["-m", "pytest", "-m", marks, f"--junitxml={report}", "--continue-on-collection-errors",
                       *spread, *args]
            with _screen(platform) as env:
                code = _python(*command, env=env, cwd=ROOT)
            found = _read_report(report)
            if code not in (0, 5) and not found["failed"]:  # 5: no test was chosen
                _say(f"the {name} run ended with code {code}")
                found["failed"] = 1
            counts += found
    if not counts:
        _say("no test was chosen")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
    return 1 if counts["failed"] or not counts["passed"] else 0


def _read_report(report: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase") if report.exists() else ():
        found = {child.tag for child in case}
        counts["failed" if found & {"failure", "error"} else "skipped" if "skipped" in found else "passed"] += 1
    return counts


@contextmanager
def _screen(platform: str | None) -> Iterator[dict[str, str]]:
    """The environment of one pytest run; with no ``platform`` named, beside an X server of its own on Linux."""
    if platform or sys.platform != "linux":
        yield {**os.environ, **({"QT_QPA_PLATFORM": platform} if platform else {})}
        return
    if not shutil.which("Xvfb"):
        _say("Xvfb is not installed: the tests that need a screen are skipped")
        yield {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        return
    ours, theirs = os.pipe()
    command = ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1920x1080x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[theirs], stderr=subprocess.DEVNULL)
    os.close(theirs)
    try:
        with open(ours) as pipe:
            number = pipe.readline().strip()
        if not number:
            sys.exit("Xvfb did not start.")
        env = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        env.pop("WAYLAND_DISPLAY", None)
        yield env
    finally:
        server.terminate()
        server.wait()


def _make_venv() -> None:
    base = getattr(sys, "_base_executable", sys.executable)  # not the Python of the .venv that is being made
    command = [base, "-m", "venv", "--clear", str(VENV)]
    _say("making .venv")
    if _has_ensurepip(base) and subprocess.call(command) == 0:
        return
    # Debian keeps ensurepip in a package of its own.
    if not shutil.which("apt-get") or os.geteuid() != 0:
        sys.exit("This Python cannot make an environment. On Debian or Ubuntu: sudo apt-get install python3-venv")
    _apt_install(["python3-venv"])
    if subprocess.call(command):
        sys.exit(f"{base} cannot make an environment (its version's -venv package is missing).")


def _has_ensurepip(base: str) -> bool:
    return subprocess.call([base, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL) == 0


def _install_packages(names: list[str], *, needed: bool) -> None:
    listing = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package}, ${Provides}\n"]
    lines = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines()
    have = {part.split()[0] for line in lines if line.startswith("installed ")  # a newer name provides the older
            for part in line.removeprefix("installed ").split(",") if part.strip()}
    missing = [name for name in names if name not in have]
    if not missing:
        return
    if os.geteuid() == 0:
        _apt_install(missing)
    elif needed:
        sys.exit(f"System packages are missing. Please run: sudo apt-get install {' '.join(missing)}")
    else:
        _say(f"not installed, so some tests are skipped: {' '.join(missing)}")


def _apt_install(names: list[str]) -> None:
    _say(f"apt-get install {' '.join(names)}")
    if "postgresql" in names:  # the tests make a cluster of their own; the package shall not start one
        folder = Path("/etc/postgresql-common/createcluster.d")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "goldsmith.conf").write_text("create_main_cluster = false\n")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *names]
    if subprocess.call(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        subprocess.call(["apt-get", "update", "-qq"], env=env)  # the lists may be old, or there are none
        if subprocess.call(command, env=env, stdout=subprocess.DEVNULL):
            sys.exit(f"apt-get could not install {' '.join(names)}")


def _file_of(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__main__.py") if file.exists()), None)


def _python(*args: str, env: dict[str, str] | None = None, cwd: Path | None = None, quiet: bool = False) -> int:
    env = {**(env or os.environ), "PYTHONUTF8": "1"}
    sink = subprocess.DEVNULL if quiet else None
    # -P: a folder named tests or app where the person stands is not ours.
    return subprocess.call([str(PYTHON), "-P", *args], cwd=cwd, env=env, stdout=sink, stderr=sink)


def _say(text: str) -> None:
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.platform == "linux":  # dpkg and runuser live there, and a bare environment may not name them
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", "/usr/bin:/bin"), "/usr/sbin", "/sbin"])
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
