# Sells with the official FastAPI middleware and buys with the official httpx client, once:
# pay.py <facilitator URL> <private key> <payTo> <flow>. The flow "upto" charges 700 of a maximum. Prints status, body and receipt as JSON.
# The flow "batch-settlement" buys ten answers through one channel and charges 10 for each but the first. Then the server's manager claims and
# pays out; its own key consents.
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
from x402.mechanisms.evm.batch_settlement.authorizer_signer import LocalAuthorizerSigner
from x402.mechanisms.evm.batch_settlement.client import BatchSettlementEvmScheme as BatchClient
from x402.mechanisms.evm.batch_settlement.server import BatchSettlementChannelManager
from x402.mechanisms.evm.batch_settlement.server import BatchSettlementEvmScheme as BatchServer
from x402.mechanisms.evm.batch_settlement.server import BatchSettlementEvmSchemeServerConfig, ChannelManagerConfig
from x402.mechanisms.evm.exact.register import register_exact_evm_client
from x402.mechanisms.evm.exact.server import ExactEvmScheme
from x402.mechanisms.evm.signers import EthAccountSigner
from x402.mechanisms.evm.upto import UptoEvmClientScheme, UptoEvmServerScheme

NETWORK = "eip155:84532"
USDC = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"


def shop(facilitator, pay_to, flow, channels):
    server = x402ResourceServer(facilitator)
    server.register(NETWORK, ExactEvmScheme())
    server.register(NETWORK, UptoEvmServerScheme())
    server.register(NETWORK, channels)
    extra = {"paymentFlow": "upfront"} if flow == "upfront" else None
    scheme = flow if flow in ("upto", "batch-settlement") else "exact"
    sold = 0
    option = PaymentOption(scheme=scheme, pay_to=pay_to, price="$0.001", network=NETWORK, extra=extra)
    app = FastAPI()
    app.middleware("http")(payment_middleware({"GET /weather": RouteConfig(accepts=option)}, server))

    @app.get("/weather")
    async def weather(response: Response):
        nonlocal sold
        sold += 1
        if flow == "upto":
            set_settlement_overrides(response, {"amount": "700"})
        if flow == "batch-settlement" and sold > 1:
            set_settlement_overrides(response, {"amount": "10"})
        return {"weather": "sunny"}

    return app


async def main(facilitator, key, pay_to, flow):
    asked = HTTPFacilitatorClient(FacilitatorConfig(url=facilitator))
    authorizer = LocalAuthorizerSigner(Account.create())
    channels = BatchServer(pay_to, BatchSettlementEvmSchemeServerConfig(receiver_authorizer_signer=authorizer))
    config = uvicorn.Config(shop(asked, pay_to, flow, channels), host="127.0.0.1", port=0, log_level="warning")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    client = x402Client()
    signer = EthAccountSigner(Account.from_key(key))
    register_exact_evm_client(client, signer)
    client.register("eip155:*", UptoEvmClientScheme(signer))
    client.register("eip155:*", BatchClient(signer))
    async with x402HttpxClient(client, timeout=60) as http:
        for _ in range(10 if flow == "batch-settlement" else 1):
            answer = await http.get(f"http://127.0.0.1:{port}/weather")
    header = answer.headers.get("PAYMENT-RESPONSE")
    receipt = decode_payment_response_header(header).model_dump(by_alias=True) if header else None
    told = {"status": answer.status_code, "body": answer.json(), "receipt": receipt}
    if flow == "batch-settlement":
        manager = BatchSettlementChannelManager(ChannelManagerConfig(channels, asked, pay_to, USDC, NETWORK))
        told["claims"] = [one.vouchers for one in await manager.claim()]
        told["paid"] = (await manager.settle()).transaction
    print(json.dumps(told))
    server.should_exit = True
    await serving


asyncio.run(main(*sys.argv[1:5]))
