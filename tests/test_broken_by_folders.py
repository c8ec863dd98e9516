"""Folders that are more than a folder of pictures."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PIL import Image

from annotation.errors import Refused
from annotation.reading import images
from annotation.reading.opening import open_source


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
def test_a_pipe_in_a_folder_of_pictures_is_not_waited_for(tmp_path: Path) -> None:
    Image.new("RGB", (2, 2)).save(tmp_path / "a", "PNG")
    os.mkfifo(tmp_path / "b")
    assert images.found(tmp_path) == ["a"]


def test_a_folder_of_too_many_files_is_refused_before_they_are_all_looked_at(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MOST_FILES", 5)
    for n in range(6):
        (tmp_path / f"{n}.png").touch()
    with pytest.raises(Refused, match="more than 5 files"), open_source(tmp_path):
        pass


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_another_device_below_a_folder_is_not_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[str] = []
    walk = os.walk

    def seen(top: Path) -> object:
        for base, folders, _ in walk(top):
            entered.append(str(base))
            yield base, folders, []
            folders[:] = [name for name in folders if name == "proc"]

    monkeypatch.setattr(images.os, "walk", seen)
    images.found(Path("/"))
    assert entered == ["/"]
