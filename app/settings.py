"""What the person likes, each thing declared once; kept in an ini file under the person's folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QByteArray, QObject, QSettings, Signal

from app.home import home
from app.i18n import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Setting:
    """``kind``: choice (with choices), percent, switch, or state (remembered, not shown in Preferences)."""

    name: str
    default: Any
    kind: str = "state"
    group: str = ""
    label: str = ""
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()




DECLARED: dict[str, Setting] = {setting.name: setting for setting in (
    Setting("theme", "system", "choice", QT_TRANSLATE_NOOP("settings", "Look"), QT_TRANSLATE_NOOP("settings", "Theme"),
            QT_TRANSLATE_NOOP("settings", "Changes at once."),
            (("system", QT_TRANSLATE_NOOP("settings", "As the system")),
             ("light", QT_TRANSLATE_NOOP("settings", "Light")), ("dark", QT_TRANSLATE_NOOP("settings", "Dark")),
             ("contrast", QT_TRANSLATE_NOOP("settings", "High contrast")))),
    Setting("text_size", 100, "percent", QT_TRANSLATE_NOOP("settings", "Look"),
            QT_TRANSLATE_NOOP("settings", "Text size"),
            QT_TRANSLATE_NOOP("settings", "85 to 200 per cent. Ctrl + and Ctrl − change it anywhere.")),
    Setting("slim_rail", False, "switch", QT_TRANSLATE_NOOP("settings", "Look"),
            QT_TRANSLATE_NOOP("settings", "Rail with icons only"),
            QT_TRANSLATE_NOOP("settings", "Narrow windows and large text have it in any case. Ctrl B changes it.")),
    Setting("language", "en", "choice", QT_TRANSLATE_NOOP("settings", "Language"),
            QT_TRANSLATE_NOOP("settings", "Language of the program"),
            QT_TRANSLATE_NOOP("settings", "The language of the items is not touched."),
            (("en", QT_TRANSLATE_NOOP("settings", "English")),)),
    Setting("dense_tables", False, "switch", QT_TRANSLATE_NOOP("settings", "Tables"),
            QT_TRANSLATE_NOOP("settings", "Dense rows"),
            QT_TRANSLATE_NOOP("settings", "More rows on a screen, 28 pixels high in place of 36.")),
    Setting("geometry", QByteArray()),
    Setting("last_project", ""),
    Setting("recent_projects", []),
    Setting("persons", {}),          # project -> handle of the person who worked there last
    Setting("bundles", {}),          # project -> folder of the bundle that was exported last
    Setting("exports", {}),          # project -> format and options of the last export, as JSON
    Setting("abouts", {}),           # project -> file that states what only people know of its data set
    Setting("plot_folder", ""),      # where a plot was saved last
    Setting("agreement_choices", {}),  # project -> coefficients chosen on Agreement, as JSON by question
    Setting("agreement_by", {}),     # project -> the field its slices are by, as JSON
    Setting("study_texts", {}),      # project -> text of a study that is being written and not kept yet
    Setting("answer_panel", 0),      # width of the answer panel, 0 as designed
)}


class Settings(QObject):
    """Reads and writes the declared settings; ``changed`` names the one that was set."""

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        folder = home()
        folder.mkdir(parents=True, exist_ok=True)
        self._kept = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)

    def get(self, name: str) -> Any:
        setting = DECLARED[name]
        value: Any = self._kept.value(name, setting.default)
        if isinstance(setting.default, bool):
            return value in (True, "true", "1", 1)
        if isinstance(setting.default, int):
            try:
                return int(value)
            except (TypeError, ValueError):
                return setting.default
        if isinstance(setting.default, list):
            return [value] if isinstance(value, str) and value else list(value or [])
        if isinstance(setting.default, dict):
            return dict(value or {})
        if setting.choices and value not in dict(setting.choices):
            return setting.default
        return value

    def set(self, name: str, value: Any) -> None:
        if self.get(name) == value:
            return
        self._kept.setValue(DECLARED[name].name, value)
        self.changed.emit(name)

    def remember_project(self, project: str) -> None:
        """Put a project at the head of the recent ones."""
        recent = [project, *(other for other in self.get("recent_projects") if other != project)]
        self.set("recent_projects", recent[:9])
        self.set("last_project", project)

    def save(self) -> None:
        self._kept.sync()
