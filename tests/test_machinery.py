"""The tests' own ground: a server to test on, and a home that is not the person's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from annotation import rights


@pytest.mark.postgres
def test_each_test_gets_an_empty_database_of_its_own(postgres_cluster, postgres_url):
    other = postgres_cluster.new_database()
    assert other != postgres_url
    engine = create_engine(postgres_url)
    with engine.begin() as connection:
        connection.execute(text("create table t (a text)"))
        connection.execute(text("insert into t values ('ä 🙂')"))
        assert connection.execute(text("select a from t")).scalar() == "ä 🙂"
    engine.dispose()
    engine = create_engine(other)
    with engine.begin() as connection:
        assert connection.execute(text("select to_regclass('t')")).scalar() is None
    engine.dispose()


def test_the_home_of_a_test_is_not_the_persons(tmp_path):
    home = Path(os.environ["GOLDSMITH_HOME"])
    assert home.is_dir()
    assert home != Path.home() and Path.home() not in home.parents


def test_the_table_of_pages_in_the_docs_is_the_one_that_is_enforced():
    text = (Path(__file__).resolve().parent.parent / "ARCHITECTURE.md").read_text("utf-8")
    for role in rights.ROLES:
        [row] = [line for line in text.splitlines() if line.startswith(f"| {role} |")]
        assert tuple(row.split("|")[2].split()) == rights.pages([role])
