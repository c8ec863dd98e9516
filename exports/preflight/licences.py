"""Pictures whose licence nobody has stated."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select

from annotation.store.tables import Media
from exports.preflight.corpus import Corpus
from exports.preflight.finding import Found, Work, checks, kind

kind("unlicensed_media", "warn", "unlicensed", "1 item has a picture whose licence is not stated",
     "{n} items have pictures whose licence is not stated")


@checks.register("licences")
def licences(corpus: Corpus, work: Work) -> Iterator[Found]:
    bare = set(corpus.session.scalars(select(Media.sha256).where((Media.licence.is_(None)) | (Media.licence == ""))))
    items = [at for at, entry in enumerate(corpus.entries) if any(sha256 in bare for _, _, sha256 in entry.media)]
    pictures = {sha256 for at in items for _, _, sha256 in corpus.entries[at].media} & bare
    yield Found("unlicensed_media", items, {"pictures": len(pictures)})
    work.step(len(corpus))
