# Settles a signed payment with the client for servers without an event loop: sync_settle.py <facilitator URL> <store> <die after settle>.
# Reads payload and requirements as JSON, and prints the verify answer and the settle answers as JSON.
import json
import os
import signal
import sqlite3
import sys

from quittance_x402 import RecoveringFacilitatorClientSync, SqlStore
from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync
from x402.schemas import PaymentPayload, PaymentRequirements

url, path, dies = sys.argv[1:4]


class Mortal(HTTPFacilitatorClientSync):
    def settle(self, payload, requirements):
        answer = super().settle(payload, requirements)
        if dies == "true":
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


given = json.load(sys.stdin)
payload = PaymentPayload.model_validate(given["paymentPayload"])
requirements = PaymentRequirements.model_validate(given["paymentRequirements"])
store = SqlStore(lambda: sqlite3.connect(path))
client = RecoveringFacilitatorClientSync(Mortal(FacilitatorConfig(url=url)), store, answer_within_ms=0)
answers = [client.verify(payload, requirements), client.settle(payload, requirements), client.settle(payload, requirements)]
print(json.dumps([answer.model_dump(by_alias=True) for answer in answers]))
