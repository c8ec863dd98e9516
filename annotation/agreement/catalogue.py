"""Every metric by its name: importing this fills the registry. A new metric adds its row itself, and a line here."""

from __future__ import annotations

from annotation.agreement import alpha as alpha
from annotation.agreement import percent as percent
from annotation.agreement.metric import metrics as metrics
