# A merchant that sells a stream through channels that the facilitator keeps, started with its settings as JSON in STREAM: facilitator, receiver,
# maxTimeoutSeconds, answerWithinMs, giveUpAfterMs. The official server is unmodified; its facilitator client is ours.
import asyncio
import json
import os

from fastapi import FastAPI, Response
from quittance_x402 import MemoryStore, QuittanceChannels, RecoveringFacilitatorClient
from serving import serve
from x402 import x402ResourceServer
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.middleware.fastapi import payment_middleware, set_settlement_overrides
from x402.http.types import PaymentOption, RouteConfig
from x402.mechanisms.evm.batch_settlement.server import BatchSettlementEvmScheme, BatchSettlementEvmSchemeServerConfig

NETWORK = "eip155:84532"
settings = json.loads(os.environ["STREAM"])
url, receiver = settings["facilitator"], settings["receiver"]

waits = {"answer_within_ms": settings["answerWithinMs"], "give_up_after_ms": settings["giveUpAfterMs"]}
storage = QuittanceChannels(url=url, network=NETWORK, **waits)
client = RecoveringFacilitatorClient(HTTPFacilitatorClient(FacilitatorConfig(url=url)), MemoryStore())
payments = x402ResourceServer(client)
payments.register(NETWORK, BatchSettlementEvmScheme(receiver, BatchSettlementEvmSchemeServerConfig(storage=storage)))
price = PaymentOption(
    scheme="batch-settlement", network=NETWORK, price="$0.001", pay_to=receiver, max_timeout_seconds=settings.get("maxTimeoutSeconds")
)
app = FastAPI()
app.middleware("http")(payment_middleware({"GET /stream": RouteConfig(accepts=price)}, payments))
answers = 0


@app.get("/stream")
async def stream(response: Response, charge: str = "1000", working: str = "0"):
    global answers
    await asyncio.sleep(3_600 if working == "for ever" else int(working) / 1_000)
    answers += 1
    set_settlement_overrides(response, {"amount": charge})
    return {"answer": 7, "answers": answers}


serve(app)
