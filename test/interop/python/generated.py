# Calls the service by a client that openapi-python-client generated from its document:
# generated.py <folder of the client> <base URL>. Reads a payment as JSON; prints the answers as JSON.
import json
import sys

folder, base = sys.argv[1:3]
sys.path.insert(0, folder)
from generated import Client  # noqa: E402
from generated.api.payments import get_supported_sandbox, look_up_payment_sandbox, settle_sandbox, verify_sandbox  # noqa: E402
from generated.models import PaymentRequestV2  # noqa: E402

client = Client(base_url=base, timeout=60)
body = PaymentRequestV2.from_dict(json.load(sys.stdin))
answers = {
    "supported": get_supported_sandbox.sync(client=client),
    "verified": verify_sandbox.sync(client=client, body=body),
    "settled": settle_sandbox.sync(client=client, body=body),
    "found": look_up_payment_sandbox.sync(client=client, body=body),
}
print(json.dumps({name: [type(answer).__name__, answer.to_dict()] for name, answer in answers.items()}))
