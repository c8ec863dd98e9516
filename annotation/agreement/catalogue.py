"""Every metric by its name: importing this fills the registry. A new metric adds its row itself, and a line here."""

from __future__ import annotations

from annotation.agreement import against as against
from annotation.agreement import alpha as alpha
from annotation.agreement import alpha_u as alpha_u
from annotation.agreement import chance as chance
from annotation.agreement import correlation as correlation
from annotation.agreement import cronbach as cronbach
from annotation.agreement import distance as distance
from annotation.agreement import gwet_alpha as gwet_alpha
from annotation.agreement import icc as icc
from annotation.agreement import many_people as many_people
from annotation.agreement import percent as percent
from annotation.agreement import ranks as ranks
from annotation.agreement import sets as sets
from annotation.agreement import spans as spans
from annotation.agreement import tau as tau
from annotation.agreement import texts as texts
from annotation.agreement import two_answers as two_answers
from annotation.agreement import two_people as two_people
from annotation.agreement import unitizing as unitizing
from annotation.agreement.metric import metrics as metrics
