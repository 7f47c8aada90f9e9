"""One name for a signed payment, however it is written."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Any

FORMS = ("authorization", "permit2Authorization", "transaction")
_SIGNATURE_BYTES = 64


def payment_key(payment_payload: Any) -> str | None:
    """Payer and nonce on EVM, the hash of the signed message on Solana. None for a form that this package does not know.

    Takes the payload as the official models or as JSON. Raises ValueError for a payload of two forms: a facilitator could read the other.
    """
    signed = field_of(dumped(payment_payload), "payload")
    forms = [form for form in FORMS if field_of(signed, form) is not None]
    if len(forms) > 1:
        raise ValueError(f"the payment has two forms: {' and '.join(forms)}")
    if not forms:
        return None
    value = field_of(signed, forms[0])
    return _solana_key(value) if forms[0] == "transaction" else _evm_key(forms[0], value)


def key_or_none(payment_payload: Any) -> str | None:
    """The same; None for a payload of two forms too."""
    try:
        return payment_key(payment_payload)
    except ValueError:
        return None


def _evm_key(form: str, authorization: Any) -> str | None:
    payer, nonce = field_of(authorization, "from"), field_of(authorization, "nonce")
    if not isinstance(payer, str) or not isinstance(nonce, str):
        return None
    if not re.fullmatch(r"0x[0-9a-fA-F]{40}", payer) or not re.fullmatch(r"0x[0-9a-fA-F]{1,64}|[0-9]{1,78}", nonce):
        return None
    number = int(nonce, 16) if nonce.startswith("0x") else int(nonce)
    return f"{form} {payer.lower()} {number:x}"


def _solana_key(transaction: Any) -> str | None:
    """A transaction begins with the number of its signatures and the signatures; the message follows. The fee payer signs later."""
    if not isinstance(transaction, str):
        return None
    try:
        raw = base64.b64decode(transaction)
    except (binascii.Error, ValueError):
        return None
    signatures = raw[0] if raw else 0
    message = raw[1 + signatures * _SIGNATURE_BYTES :]
    if signatures == 0 or signatures > 127 or not message:
        return None
    return f"transaction {hashlib.sha256(message).hexdigest()}"


def dumped(value: Any) -> Any:
    """A model of the official package as JSON; any other value as it is."""
    dump = getattr(value, "model_dump", None)
    return dump(by_alias=True, exclude_none=True) if callable(dump) else value


def field_of(value: Any, name: str) -> Any:
    """A field of a value that may be no object."""
    return value.get(name) if isinstance(value, dict) else None
