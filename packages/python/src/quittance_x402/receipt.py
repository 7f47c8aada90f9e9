"""Checks signed receipts."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from typing import Any, cast

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from .answers import Receipt
from .config import base_of
from .payment_key import field_of

_TYPE = "settlement-receipt+jwt"
_STATES = ("preconfirmed", "included", "safe", "finalized", "reversed")
_TEXTS = ("iss", "settlement_id", "network", "asset", "payer", "pay_to", "amount", "resource", "transaction")
_NUMBERS = ("iat", "seq", "created_at")
_TIMEOUT_S = 10.0

_KEPT_S = 3_600.0
_REREAD_S = 30.0
"""How long the keys of a facilitator count, and how soon they are read again for an id that they lack."""

_key_sets: dict[str, tuple[list[dict[str, Any]], float]] = {}
"""By base URL, with the time at which they were read."""


class InvalidReceipt(Exception):
    """A receipt that proves no payment. The message says why."""


def verify_receipt(receipt: str, facilitator: str, *, get: Callable[[str], Any] | None = None) -> Receipt:
    """The claims of a receipt. `facilitator` is the base URL of its signer, or any facilitator URL of it.

    `get` reads the JSON at a URL; by default httpx does. Raises InvalidReceipt unless that facilitator signed it and the money moved: also
    for a receipt whose state is `reversed`. Raises another error if the keys cannot be read.
    """
    base = base_of(facilitator)
    parts = receipt.split(".")
    head = _decoded(parts[0])
    if len(parts) != 3 or field_of(head, "alg") != "ES256":
        raise InvalidReceipt("it is not a JWS with ES256")
    if field_of(head, "typ") != _TYPE:
        raise InvalidReceipt(f"its type is not {_TYPE}")
    key = _key_of(base, field_of(head, "kid"), get or _get)
    if not _holds(key, f"{parts[0]}.{parts[1]}".encode(), parts[2]):
        raise InvalidReceipt("its signature does not match")
    said = _decoded(parts[1])
    if not _is_receipt(said):
        raise InvalidReceipt("a claim is missing")
    if said["iss"] != base:
        raise InvalidReceipt(f"its issuer is {said['iss']}, not {base}")
    if said["state"] == "reversed":
        raise InvalidReceipt("the chain took this payment back")
    return cast(Receipt, said)


def claims_of(receipt: str) -> Any:
    """The claims of a receipt that came straight from the facilitator: their signature is not checked. None if they cannot be read."""
    try:
        return _decoded((receipt.split(".") + [""])[1])
    except InvalidReceipt:
        return None


def _bytes_of(part: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError as cause:
        raise InvalidReceipt("it is not a JWS") from cause


def _decoded(part: str) -> Any:
    try:
        return json.loads(_bytes_of(part))
    except ValueError as cause:
        raise InvalidReceipt("it is not a JWS") from cause


def _get(url: str) -> Any:
    answer = httpx.get(url, timeout=_TIMEOUT_S)
    answer.raise_for_status()
    return answer.json()


def _key_of(base: str, kid: Any, get: Callable[[str], Any]) -> dict[str, Any]:
    """The key with this id. An unknown id reads the keys again: a facilitator adds keys."""
    for younger_than_s in (_KEPT_S, _REREAD_S):
        for key in _keys_of(base, get, younger_than_s):
            if key["kid"] == kid:
                return key
    raise InvalidReceipt("its facilitator publishes no key with this kid")


def _keys_of(base: str, get: Callable[[str], Any], younger_than_s: float) -> list[dict[str, Any]]:
    """The keys of a facilitator: those of an earlier read if it is recent enough."""
    known = _key_sets.get(base)
    if known is not None and time.monotonic() - known[1] < younger_than_s:
        return known[0]
    found = field_of(get(f"{base}/.well-known/jwks.json"), "keys")
    keys = [key for key in found if isinstance(field_of(key, "kid"), str)] if isinstance(found, list) else []
    _key_sets[base] = (keys, time.monotonic())
    return keys


def _holds(key: dict[str, Any], signed: bytes, signature: str) -> bool:
    raw = _bytes_of(signature)
    if len(raw) != 64:
        return False
    x, y = (int.from_bytes(_bytes_of(str(key.get(name, ""))), "big") for name in ("x", "y"))
    public = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        public.verify(pair, signed, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def _is_receipt(claims: Any) -> bool:
    return (
        isinstance(claims, dict)
        and all(isinstance(claims.get(name), str) for name in _TEXTS)
        and all(isinstance(claims.get(name), (int, float)) for name in _NUMBERS)
        and claims.get("state") in _STATES
    )
