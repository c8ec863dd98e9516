"""The house rules that a program can check: the fence, style, types, and the marks a person would overlook."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("app", "exports", "studies", "annotation", "resources")
LINES = 350

# Modules that each fence must name as soon as they exist, in the words of ARCHITECTURE.md.
FENCED = {
    "command-line-without-qt": {"app.cli", "app.verbs", "app.demo", "app.commands"},
    "widgets-do-not-reach-the-store": {"app.pages", "app.questions", "app.viewers", "app.parts", "app.form",
                                       "app.asking", "app.plots", "app.window", "app.stage", "app.item"},
    "pure-modules": {
        "annotation.agreement", "annotation.answers", "annotation.canonical", "annotation.derive",
        "annotation.diff", "annotation.done", "annotation.draft", "annotation.fields", "annotation.form",
        "annotation.gold_rules", "annotation.metadata", "annotation.protocol", "annotation.questions",
        "annotation.reading", "annotation.recipes", "annotation.visible", "annotation.workflow", "studies.design",
        "studies.order", "studies.order_check", "studies.reading",
        "studies.keyboard", "studies.sitting", "studies.timing", "studies.trial_run",
    },
}
# Imports of more than 100 ms that one action needs: these may stand inside a function without a word.
HEAVY = {"pandas", "cv2", "matplotlib", "alembic", "pyarrow", "krippendorff", "scipy", "sklearn", "statsmodels"}
# The store's one door, and behind it what is different about each database.
DOOR = {"annotation/store/opening.py", "annotation/store/sqlite.py", "annotation/store/postgres.py"}
CATCH_ALL = {"app/errors.py", "app/jobs.py"}
# A word of Python -> the files that may use it.
RESERVED = {
    "setStyleSheet": {"app/theme.py"},
    "ThreadPoolExecutor": {"app/jobs.py"},
    "create_engine": DOOR | {"annotation/store/migrations/write.py"},  # a tool of ours, in memory
    "QThread": set(), "QRunnable": set(), "moveToThread": set(), "processEvents": set(), "NotImplementedError": set(),
}


@cache
def sources() -> dict[str, ast.Module]:
    """Every Python file of the program as a tree, by its path from the root."""
    files = [ROOT / "dev.py", *(path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py")))]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_bytes(), str(path)) for path in files}


def walk(kind: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[tuple[str, ast.AST]]:
    for file, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, kind):
                yield file, node


def told(faults: list[str]) -> None:
    assert not faults, "\n" + "\n".join(faults)


def run_tool(*command: str) -> None:
    found = shutil.which(command[0], path=str(Path(sys.executable).parent))
    assert found, f"{command[0]} is not installed beside {sys.executable}"
    done = subprocess.run([found, *command[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


# --- the fence -----------------------------------------------------------------------------------

def test_imports_go_down_only():
    run_tool("lint-imports", "--no-logo")


@cache
def contracts() -> dict[str, dict]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return {contract["id"]: contract for contract in settings["contracts"]}


def exists(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


@pytest.mark.parametrize("fence", FENCED)
def test_each_fence_names_every_module_it_is_for(fence):
    named = set(contracts()[fence]["source_modules"])
    assert named == {module for module in FENCED[fence] if exists(module)}


def test_the_fence_guards_a_real_field():
    graph = grimp.build_graph(*FLOORS, include_external_packages=True, cache_dir=None)
    assert "PySide6" in graph.find_modules_directly_imported_by("app.window")
    assert "sqlalchemy" in graph.find_modules_directly_imported_by("annotation.store.tables_base")
    for fence in contracts().values():
        guarded = {name for name in fence.get("forbidden_modules", ()) if "." not in name}
        assert guarded <= {"PySide6", "shiboken6", "qtawesome", "sqlalchemy"}
        assert guarded <= graph.modules, "a forbidden module that nobody imports is likely a misspelt one"


def test_the_top_files_of_the_floors_hold_a_sentence_and_no_import():
    for floor in (*FLOORS, "annotation.agreement"):
        tree = sources()[f"{floor.replace('.', '/')}/__init__.py"]
        assert ast.get_docstring(tree)
        assert len(tree.body) == 1, floor


def test_imports_inside_functions_say_why():
    faults = []
    for file, function in walk((ast.FunctionDef, ast.AsyncFunctionDef)):
        lines = (ROOT / file).read_text("utf-8").splitlines()
        for node in ast.walk(function):
            if not isinstance(node, (ast.Import, ast.ImportFrom)):
                continue
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            at = node.lineno - 1  # one reason may stand for a block of imports
            while lines[at - 1].strip().startswith(("import ", "from ")):
                at -= 1
            said = lines[at - 1].strip().startswith("#") or any("#" in line for line in lines[at : node.lineno])
            if not said and not {name.split(".")[0] for name in names} <= HEAVY:
                faults.append(f"{file}:{node.lineno}: import of {', '.join(names)} inside a function, without a reason")
    told(sorted(set(faults)))


# --- style ---------------------------------------------------------------------------------------

def test_ruff_is_content():
    run_tool("ruff", "check", "--no-cache", "--output-format", "concise", ".")


def test_types_hold():
    run_tool("mypy")


def test_no_file_outgrows_its_sentence():
    sizes = {file: len((ROOT / file).read_text("utf-8").splitlines()) for file in sources()}
    told([f"{file}: {size} lines; {LINES} is the limit" for file, size in sizes.items() if size > LINES])


def test_every_file_begins_with_a_sentence():
    told([file for file, tree in sources().items() if not (ast.get_docstring(tree) or "").strip()])


def test_no_file_is_named_for_what_does_not_fit():
    vague = {"utils", "util", "misc", "helpers", "common", "manager", "core"}
    told([file for file in sources() if vague & set(Path(file).with_suffix("").parts)])


def test_nothing_is_put_off():
    marks = tuple("TO" "DO FIX" "ME".split())
    faults = []
    for file in sources():
        for number, line in enumerate((ROOT / file).read_text("utf-8").splitlines(), 1):
            faults += [f"{file}:{number}: {mark}" for mark in marks if mark in line]
    told(faults)


# --- sentences and faults ------------------------------------------------------------------------

def test_sentences_for_people_are_templates():
    """An f-string cannot be translated: values are handed over beside the sentence."""
    refusals = {"Refused", "Done", "N_", "QT_TRANSLATE_NOOP"}
    while True:  # classes of classes of Refused
        more = {node.name for _, node in walk(ast.ClassDef) if {name_of(base) for base in node.bases} & refusals}
        if more <= refusals:
            break
        refusals |= more
    assert {"AnswerError", "ProtocolError"} <= refusals
    told([f"{file}:{node.lineno}: f-string inside {name_of(node.func)}" for file, node in walk(ast.Call)
          if name_of(node.func) in refusals
          and any(isinstance(part, ast.JoinedStr) for arg in node.args for part in ast.walk(arg))])


def name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def test_only_two_files_catch_everything():
    faults = []
    for file, node in walk(ast.ExceptHandler):
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        wide = any(kind is None or name_of(kind) in {"Exception", "BaseException"} for kind in kinds)
        last = node.body[-1]
        passed_on = isinstance(last, ast.Raise) and last.exc is None  # cleans up, and hides nothing
        if wide and not passed_on and file not in CATCH_ALL:
            faults.append(f"{file}:{node.lineno}: catches everything")
    told(faults)


@pytest.mark.parametrize("word", RESERVED)
def test_words_that_belong_to_one_room_stay_there(word):
    faults = []
    for file, node in walk((ast.Name, ast.Attribute, ast.alias)):
        said = node.name if isinstance(node, ast.alias) else name_of(node)
        if said == word and file not in RESERVED[word]:
            faults.append(f"{file}:{node.lineno}: {word}")
    told(faults)


def test_only_the_door_of_the_store_knows_sqlite():
    faults = [f"{file}:{node.lineno}" for file, node in walk((ast.Import, ast.ImportFrom))
              if "sqlite3" in ([node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
              and file not in DOOR | {"annotation/doctor.py"}]  # the doctor tells its version
    told(faults)


def test_the_mark_for_translation_is_the_one_that_returns_text():
    told([f"{file}:{node.lineno}: QT_TRANSLATE_NOOP comes from app.i18n (PySide6's returns an object)"
          for file, node in walk(ast.ImportFrom)
          if node.module == "PySide6.QtCore" and "QT_TRANSLATE_NOOP" in {alias.name for alias in node.names}])


# --- the binding ---------------------------------------------------------------------------------

def test_a_shot_of_a_timer_names_whom_it_is_for():
    """Without a receiver it is fired for what is deleted by then, and the fault shows in whatever runs next."""
    told([f"{file}:{node.lineno}: singleShot(ms, receiver, call)" for file, node in walk(ast.Call)
          if name_of(node.func) == "singleShot" and len(node.args) < 3])


def test_the_qt_binding_counts_references_right(qapp):
    """PySide6 6.12.0 on Python 3.11 drops one None with each call that returns None, and dies of it."""
    from PySide6.QtWidgets import QWidget  # only this test of the file needs Qt

    widget = QWidget()
    before = sys.getrefcount(None)
    for _ in range(1000):
        widget.update()
    assert sys.getrefcount(None) > before - 500
