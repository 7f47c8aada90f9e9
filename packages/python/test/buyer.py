# Buys with the official client through one channel: buyer.py <private key> <RPC URL> <how many> <URL>. Prints each status and charge as JSON.
import asyncio
import json
import sys

from eth_account import Account
from x402 import x402Client
from x402.http.clients.httpx import x402HttpxClient
from x402.http.utils import decode_payment_response_header
from x402.mechanisms.evm.batch_settlement.client import BatchSettlementEvmScheme
from x402.mechanisms.evm.signers import EthAccountSignerWithRPC


async def main(key, node, count, url):
    client = x402Client()
    client.register("eip155:*", BatchSettlementEvmScheme(EthAccountSignerWithRPC(Account.from_key(key), node)))
    bought = []
    async with x402HttpxClient(client, timeout=60) as http:
        for _ in range(int(count)):
            answer = await http.get(url)
            header = answer.headers.get("PAYMENT-RESPONSE")
            receipt = decode_payment_response_header(header).model_dump(by_alias=True) if header else {}
            bought.append([answer.status_code, (receipt.get("extra") or {}).get("chargedAmount")])
    print(json.dumps(bought))


asyncio.run(main(*sys.argv[1:5]))
