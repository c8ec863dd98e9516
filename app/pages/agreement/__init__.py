"""Agreement: how far people agree, per question and slice, and on which items they differ."""

from app.pages.agreement.page import AgreementPage

__all__ = ["AgreementPage"]
