"""Checks webhooks. Their signature is that of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from .answers import WebhookMessage
from .payment_key import field_of

_SECRET_BYTES = 24
"""The least length of a secret by Standard Webhooks."""


class InvalidWebhook(Exception):
    """A webhook that its sender did not sign, or not now. The message says why; answer 401."""


def verify_webhook(
    body: str | bytes,
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> WebhookMessage:
    """The message of a webhook. `body` is the body as received, before it is parsed; `secret` is the one of the dashboard, `whsec_…`.

    `headers` are those of the web framework; `now` is in Unix seconds. Raises InvalidWebhook, and ValueError for a secret below 24
    bytes. A message may come twice with the same `id`.
    """
    key = _key_in(secret)
    given = {name.lower(): value for name, value in headers.items()}
    id_, at, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not id_ or not at or not signatures:
        raise InvalidWebhook("a header of Standard Webhooks is missing")
    if not abs(now() - _number(at)) <= tolerance_seconds:
        raise InvalidWebhook("its time is too far from the clock")
    raw = body.encode() if isinstance(body, str) else body
    expected = hmac.new(key, f"{id_}.{at}.".encode() + raw, hashlib.sha256).digest()
    if not any(_is_same(signature, expected) for signature in signatures.split(" ")):
        raise InvalidWebhook("no signature matches")
    message = _parsed(raw)
    type_, timestamp, data = (field_of(message, name) for name in ("type", "timestamp", "data"))
    if not isinstance(type_, str) or not isinstance(timestamp, str) or not isinstance(data, dict):
        raise InvalidWebhook("its body is not a webhook message")
    return {"id": id_, "type": type_, "timestamp": timestamp, "data": data}


def _key_in(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"))
    except ValueError:
        key = b""
    # Anyone can sign with an empty secret.
    if len(key) < _SECRET_BYTES:
        raise ValueError(f"the secret must be whsec_ and at least {_SECRET_BYTES} bytes in base64")
    return key


def _number(written: str) -> float:
    try:
        return float(written)
    except ValueError:
        return math.nan


def _is_same(signature: str, expected: bytes) -> bool:
    version, _, written = signature.partition(",")
    try:
        return version == "v1" and hmac.compare_digest(base64.b64decode(written), expected)
    except ValueError:
        return False


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as cause:
        raise InvalidWebhook("its body is not JSON") from cause
