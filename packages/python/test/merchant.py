# A merchant of the kill tests, started with its settings as JSON in MERCHANT: those of packages/quittance/test/settings.ts.
import json
import os
import signal
import threading

from fastapi import FastAPI
from quittance_x402 import FailoverFacilitatorClient, FileStore, RecoveringFacilitatorClient, evm_authorizations
from serving import serve
from x402 import x402ResourceServer
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware
from x402.http.types import PaymentOption, RouteConfig
from x402.mechanisms.evm.exact.server import ExactEvmScheme

NETWORK = "eip155:84532"
settings = json.loads(os.environ["MERCHANT"])


def die(step):
    if settings["killAt"] == step:
        os.kill(os.getpid(), signal.SIGKILL)


class Mortal(HTTPFacilitatorClient):
    """The official client of one of the facilitators, which kills the process around its requests."""

    def __init__(self, url, at):
        super().__init__(FacilitatorConfig(url=url, timeout=settings.get("timeoutMs", 90_000) / 1_000))
        self._kills = settings.get("killAtFacilitator", at) == at

    def _die(self, step):
        if self._kills:
            die(step)

    async def verify(self, payload, requirements):
        self._die("verify")
        answer = await super().verify(payload, requirements)
        self._die("verified")
        return answer

    async def settle(self, payload, requirements):
        self._die("settle")
        # Long enough for the request to arrive, too short for the answer: that takes a block.
        threading.Timer(0.06, self._die, ("sent",)).start()
        answer = await super().settle(payload, requirements)
        self._die("settled")
        return answer


class MortalStore(FileStore):
    """The store, which kills the process once it has the mark of an answer."""

    def replace(self, key, before, after):
        replaced = super().replace(key, before, after)
        if not key.startswith("sent "):
            die("marked")
        return replaced


clients = [Mortal(url, at) for at, url in enumerate(settings["facilitators"])]
times = {"answer_within_ms": settings.get("answerWithinMs", 300), "wait_ms": settings.get("waitMs", 20_000)}
if settings["client"] == "plain":
    client = clients[0]
elif settings["client"] == "recovering":
    client = RecoveringFacilitatorClient(clients[0], MortalStore(settings["store"]), **times)
else:
    nodes = evm_authorizations({NETWORK: settings["node"]})
    client = FailoverFacilitatorClient(clients, MortalStore(settings["store"]), nodes, **times)
payments = x402ResourceServer(client)
payments.register(NETWORK, ExactEvmScheme())
price = PaymentOption(scheme="exact", network=NETWORK, price="$0.001", pay_to=settings["payTo"])
app = FastAPI()
app.middleware("http")(payment_middleware({"GET /weather": RouteConfig(accepts=price)}, payments))


@app.get("/weather")
async def weather():
    die("handler")
    return {"weather": "sunny"}


serve(app)
