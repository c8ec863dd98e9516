"""Every metric by its name: importing this fills the registry. A new metric adds its row itself, and a line here."""

from __future__ import annotations

from annotation.agreement import alpha as alpha
from annotation.agreement import correlation as correlation
from annotation.agreement import cronbach as cronbach
from annotation.agreement import distance as distance
from annotation.agreement import icc as icc
from annotation.agreement import percent as percent
from annotation.agreement import ranks as ranks
from annotation.agreement import spans as spans
from annotation.agreement import tau as tau
from annotation.agreement import texts as texts
from annotation.agreement import unitizing as unitizing
from annotation.agreement.metric import metrics as metrics
