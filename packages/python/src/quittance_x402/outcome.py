"""What a facilitator answered, or why it did not."""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any, TypeVar

from x402.http.facilitator_client_base import FacilitatorResponseError
from x402.schemas import SettleResponse, VerifyResponse

from .payment_key import dumped, field_of

DUPLICATE = "duplicate_settlement"
PENDING = "settlement_pending"
_UNDECIDED = (DUPLICATE, PENDING, "service_unavailable", "unexpected_error")
"""Reasons after which the money may have moved or may still move."""

_REASONS = {"success": "errorReason", "isValid": "invalidReason"}
"""The field with the reason in an answer of the protocol, by the field with the verdict."""

_Answer = TypeVar("_Answer", VerifyResponse, SettleResponse)


async def outcome_of(answering: Awaitable[_Answer]) -> _Answer | Exception:
    """What the facilitator answered, or the error that the official client raised."""
    try:
        return await answering
    except Exception as error:
        return error


def unwrap(outcome: _Answer | Exception) -> _Answer:
    """The answer. Raises what the official client raised."""
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def reason_of(outcome: VerifyResponse | SettleResponse | Exception) -> Any:
    """The reason word of an answer, or of a refusal: the official client's error ends with the body of the answer."""
    if isinstance(outcome, VerifyResponse):
        return outcome.invalid_reason
    if isinstance(outcome, SettleResponse):
        return outcome.error_reason
    # An answer that is none of the protocol says nothing.
    if isinstance(outcome, FacilitatorResponseError):
        return None
    _, brace, rest = str(outcome).partition("{")
    try:
        body = json.loads(brace + rest)
    except ValueError:
        return None
    named = (field_of(body, reason) for verdict, reason in _REASONS.items() if isinstance(field_of(body, verdict), bool))
    return next(named, None)


def is_undecided(outcome: SettleResponse | Exception) -> bool:
    """Whether the money may have moved or may still move, although the answer is no success."""
    if isinstance(outcome, SettleResponse) and outcome.success:
        return False
    reason = reason_of(outcome)
    # An error without a reason is a broken connection, a timeout, or an answer of something in between.
    return reason in _UNDECIDED if isinstance(reason, str) else isinstance(outcome, Exception)


def refusal(requirements: Any, reason: str, message: str) -> SettleResponse:
    """A settle answer that moved no money."""
    network = field_of(dumped(requirements), "network")
    return SettleResponse(success=False, error_reason=reason, error_message=message, transaction="", network=str(network))
