# Sells with the official FastAPI middleware and buys with the official httpx client, once:
# pay.py <facilitator URL> <private key> <payTo> <flow>. The flow "upto" charges 700 of a maximum. Prints status, body and receipt as JSON.
import asyncio
import json
import sys

import uvicorn
from eth_account import Account
from fastapi import FastAPI, Response
from x402 import x402Client, x402ResourceServer
from x402.http import FacilitatorConfig, HTTPFacilitatorClient
from x402.http.clients.httpx import x402HttpxClient
from x402.http.middleware.fastapi import payment_middleware, set_settlement_overrides
from x402.http.types import PaymentOption, RouteConfig
from x402.http.utils import decode_payment_response_header
from x402.mechanisms.evm.exact.register import register_exact_evm_client
from x402.mechanisms.evm.exact.server import ExactEvmScheme
from x402.mechanisms.evm.signers import EthAccountSigner
from x402.mechanisms.evm.upto import UptoEvmServerScheme
from x402.mechanisms.evm.upto.register import register_upto_evm_client

NETWORK = "eip155:84532"


def shop(facilitator, pay_to, flow):
    server = x402ResourceServer(HTTPFacilitatorClient(FacilitatorConfig(url=facilitator)))
    server.register(NETWORK, ExactEvmScheme())
    server.register(NETWORK, UptoEvmServerScheme())
    extra = {"paymentFlow": "upfront"} if flow == "upfront" else None
    scheme = "upto" if flow == "upto" else "exact"
    option = PaymentOption(scheme=scheme, pay_to=pay_to, price="$0.001", network=NETWORK, extra=extra)
    app = FastAPI()
    app.middleware("http")(payment_middleware({"GET /weather": RouteConfig(accepts=option)}, server))

    @app.get("/weather")
    async def weather(response: Response):
        if flow == "upto":
            set_settlement_overrides(response, {"amount": "700"})
        return {"weather": "sunny"}

    return app


async def main(facilitator, key, pay_to, flow):
    config = uvicorn.Config(shop(facilitator, pay_to, flow), host="127.0.0.1", port=0, log_level="warning")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    client = x402Client()
    signer = EthAccountSigner(Account.from_key(key))
    register_exact_evm_client(client, signer)
    register_upto_evm_client(client, signer)
    async with x402HttpxClient(client, timeout=60) as http:
        answer = await http.get(f"http://127.0.0.1:{port}/weather")
    header = answer.headers.get("PAYMENT-RESPONSE")
    receipt = decode_payment_response_header(header).model_dump(by_alias=True) if header else None
    print(json.dumps({"status": answer.status_code, "body": answer.json(), "receipt": receipt}))
    server.should_exit = True
    await serving


asyncio.run(main(*sys.argv[1:5]))
