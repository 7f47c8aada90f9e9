"""Which facilitator a merchant uses. It needs no credentials: a key is part of the URL."""

from __future__ import annotations

import os
import re

from x402.http import FacilitatorConfig


def create_facilitator_config(key: str | None = None, *, url: str | None = None, flash: bool = False) -> FacilitatorConfig:
    """The facilitator of an API key; without a key `FACILITATOR_URL` as it is, or the sandbox of `url`.

    `url` is the base URL of the service, or any facilitator URL of it. `flash` settles at preconfirmation, with a key whose plan has it.
    Raises ValueError without a URL, or when flash is asked for without a key.
    """
    if key is None:
        if flash:
            raise ValueError("flash needs an API key")
        return FacilitatorConfig(url=_configured_url() if url is None else f"{base_of(url)}/sandbox")
    if not re.fullmatch(r"[A-Za-z0-9_-]+", key):
        raise ValueError("an API key has letters, digits, hyphens and underscores")
    base = base_of(_configured_url() if url is None else url)
    return FacilitatorConfig(url=f"{base}/v1/{key}{'/flash' if flash else ''}")


class _Configured(FacilitatorConfig):
    url = property(lambda self: _configured_url(), lambda self, value: None)


def base_of(url: str) -> str:
    """The base URL of a service, from any of its facilitator URLs. Raises ValueError for anything but an http(s) URL."""
    return re.sub(r"/(sandbox|v1(/[^/]+)?(/flash)?)\Z", "", _trimmed(url))


def _configured_url() -> str:
    url = os.environ.get("FACILITATOR_URL")
    if not url:
        raise ValueError("FACILITATOR_URL is not set: it is the URL of your facilitator, such as https://…/v1/<API_KEY>")
    return _trimmed(url)


def _trimmed(url: str) -> str:
    if not re.match(r"https?://[^/]", url):
        raise ValueError(f'"{url}" is no http(s) URL')
    return url.rstrip("/")


facilitator: FacilitatorConfig = _Configured()
"""The facilitator that `FACILITATOR_URL` names, read at first use. Its `url` raises ValueError if that is unset or no http(s) URL."""
