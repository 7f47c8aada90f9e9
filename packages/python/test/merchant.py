# A merchant of the kill tests, started with its settings as JSON in MERCHANT: facilitators, client, payTo, store, killAt, answerWithinMs.
import json
import os
import signal
import threading

from fastapi import FastAPI
from quittance_x402 import FileStore, RecoveringFacilitatorClient
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
    """The official client, which kills the process around its requests."""

    async def verify(self, payload, requirements):
        die("verify")
        answer = await super().verify(payload, requirements)
        die("verified")
        return answer

    async def settle(self, payload, requirements):
        die("settle")
        # Long enough for the request to arrive, too short for the answer: that takes a block.
        threading.Timer(0.06, die, ("sent",)).start()
        answer = await super().settle(payload, requirements)
        die("settled")
        return answer


class MortalStore(FileStore):
    """The store, which kills the process once it has the mark of an answer."""

    def replace(self, key, before, after):
        replaced = super().replace(key, before, after)
        die("marked")
        return replaced


client = Mortal(FacilitatorConfig(url=settings["facilitators"][0]))
if settings["client"] == "recovering":
    within = settings.get("answerWithinMs", 300)
    client = RecoveringFacilitatorClient(client, MortalStore(settings["store"]), answer_within_ms=within)
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
