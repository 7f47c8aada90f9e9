# What needs no facilitator: `python cases.py`, with the receipts and the webhook of the service as JSON in CASES, and a Redis at REDIS_URL.
import asyncio
import json
import multiprocessing
import os
import sqlite3
import tempfile
import threading
import time
import unittest
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from unittest import mock

import httpx
import quittance_x402
import redis
from quittance_x402 import (
    AuthorizationState,
    FailoverFacilitatorClientSync,
    FileStore,
    InvalidReceipt,
    InvalidWebhook,
    MemoryStore,
    QuittanceChannels,
    RecoveringFacilitatorClientSync,
    RedisStore,
    SqlStore,
    create_facilitator_config,
    evm_authorizations,
    facilitator,
    payment_key,
    verify_receipt,
    verify_webhook,
)
from quittance_x402 import recovering
from quittance_x402.served import SERVED, Served
from quittance_x402.stores import KEPT_MS, _File
from x402.schemas import PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse

GIVEN = json.loads(os.environ["CASES"])
BASE = "https://pay.example"


class Config(unittest.TestCase):
    def test_facilitator_is_what_FACILITATOR_URL_names_and_says_which_variable_is_missing(self):
        with mock.patch.dict(os.environ, {"FACILITATOR_URL": "https://pay.example/v1/qt_key/"}):
            self.assertEqual(facilitator.url, "https://pay.example/v1/qt_key")
        with mock.patch.dict(os.environ, {"FACILITATOR_URL": ""}):
            with self.assertRaisesRegex(ValueError, "FACILITATOR_URL is not set"):
                facilitator.url

    def test_create_facilitator_config_makes_the_URL_of_a_key_from_any_URL_of_the_service(self):
        with mock.patch.dict(os.environ, {"FACILITATOR_URL": f"{BASE}/sandbox"}):
            for case in GIVEN["configured"]:
                with self.subTest(case):
                    becomes = case.pop("becomes")
                    if becomes is None:
                        with self.assertRaises(ValueError):
                            create_facilitator_config(case.pop("key", None), **case)
                    else:
                        self.assertEqual(create_facilitator_config(case.pop("key", None), **case).url, becomes)


class PaymentKey(unittest.TestCase):
    def test_is_that_of_the_TypeScript_package(self):
        self.assertGreater(len(GIVEN["keys"]), 10)
        for payload, key in GIVEN["keys"]:
            self.assertEqual(payment_key(payload), key)

    def test_is_none_of_a_payload_of_two_forms(self):
        with self.assertRaisesRegex(ValueError, "two forms: authorization and permit2Authorization"):
            payment_key({"payload": {"authorization": {}, "permit2Authorization": {}}})


class Receipts(unittest.TestCase):
    def check(self, receipt, at=BASE):
        return verify_receipt(receipt, at, get=lambda url: {"keys": GIVEN["keySet"]})

    def test_verify_receipt_returns_the_claims_for_any_facilitator_URL(self):
        for at in (BASE, f"{BASE}/", f"{BASE}/sandbox", f"{BASE}/v1/qt_key", f"{BASE}/v1/qt_key/flash"):
            claims = self.check(GIVEN["receipt"], at)
            self.assertEqual((claims["iss"], claims["amount"], claims["state"]), (BASE, "1000", "included"))

    def test_verify_receipt_raises_for_what_proves_no_payment(self):
        for name, receipt, message in GIVEN["bad"]:
            with self.subTest(name), self.assertRaises(InvalidReceipt) as raised:
                self.check(receipt)
            self.assertEqual(str(raised.exception), message)


    def test_keys_count_for_an_hour_and_an_unknown_kid_reads_them_every_30_seconds_at_most(self):
        clock, reads, published = [1_000.0], [], [GIVEN["keySet"]]
        unknown = next(receipt for name, receipt, _ in GIVEN["bad"] if name == "an unknown key")

        def get(url):
            reads.append(url)
            return {"keys": published[0]}

        def check(receipt):
            return verify_receipt(receipt, BASE, get=get)

        with mock.patch.dict("quittance_x402.receipt._key_sets", clear=True), mock.patch("time.monotonic", lambda: clock[0]):
            check(GIVEN["receipt"])
            for _ in range(10):
                with self.assertRaisesRegex(InvalidReceipt, "no key with this kid"):
                    check(unknown)
            self.assertEqual(len(reads), 1)
            clock[0] += 30
            with self.assertRaises(InvalidReceipt):
                check(unknown)
            self.assertEqual(len(reads), 2)
            published[0] = []
            clock[0] += 3_599
            check(GIVEN["receipt"])
            clock[0] += 1
            with self.assertRaisesRegex(InvalidReceipt, "no key with this kid"):
                check(GIVEN["receipt"])


class Webhooks(unittest.TestCase):
    def test_verify_webhook_takes_nothing_with_a_secret_with_which_anyone_could_sign(self):
        for secret in GIVEN["webhook"]["shortSecrets"]:
            with self.subTest(secret), self.assertRaisesRegex(ValueError, "at least 24 bytes"):
                verify_webhook(GIVEN["webhook"]["body"], GIVEN["webhook"]["headers"], secret)

    def check(self, *, body=GIVEN["webhook"]["body"], headers=GIVEN["webhook"]["headers"], later=0):
        at = int(GIVEN["webhook"]["headers"]["webhook-timestamp"]) + later
        return verify_webhook(body, headers, GIVEN["webhook"]["secret"], now=lambda: at)

    def test_verify_webhook_returns_the_message_from_text_and_bytes_and_any_case_of_headers(self):
        headers = GIVEN["webhook"]["headers"]
        for changed in (headers, {name.title(): value for name, value in headers.items()}):
            message = self.check(headers=changed, later=299)
            self.assertEqual((message["id"], message["type"]), (headers["webhook-id"], "payment.settled"))
        self.assertEqual(self.check(body=GIVEN["webhook"]["body"].encode())["data"]["success"], True)

    def test_verify_webhook_takes_a_message_that_two_secrets_signed(self):
        headers = GIVEN["webhook"]["headers"]
        signed = {**headers, "webhook-signature": f"v1,AAAA {headers['webhook-signature']}"}
        self.assertEqual(self.check(headers=signed)["id"], headers["webhook-id"])

    def test_verify_webhook_raises_for_any_other(self):
        for name, changes, message in GIVEN["webhook"]["bad"]:
            with self.subTest(name), self.assertRaises(InvalidWebhook) as raised:
                self.check(**changes)
            self.assertEqual(str(raised.exception), message)


class Channels(unittest.TestCase):
    def test_are_kept_below_an_API_key_only(self):
        with mock.patch.dict(os.environ, {"FACILITATOR_URL": f"{BASE}/sandbox"}):
            with self.assertRaisesRegex(ValueError, "below an API key"):
                QuittanceChannels(network="eip155:84532")
            QuittanceChannels(network="eip155:84532", key="qt_key")
        QuittanceChannels(network="eip155:84532", url=f"{BASE}/v1/qt_key/flash/")


def new_path(name):
    return Path(tempfile.mkdtemp()) / "deep" / name


def opened(path, now):
    """A file as a process reads it that just began."""
    FileStore(path)
    return _File(path, now)


def use_file(path, result):
    """Uses a file in a process of its own."""
    try:
        result.put(FileStore(path).replace("a", None, SERVED))
    except RuntimeError as cause:
        result.put(str(cause))


def in_process(method, target, *args):
    """What a function puts into its queue, called in a process of its own."""
    context = multiprocessing.get_context(method)
    result = context.Queue()
    process = context.Process(target=target, args=(*args, result))
    process.start()
    said = result.get(timeout=60)
    process.join()
    return said


def stores():
    """Each kind of store, as what opens it once more at a time."""
    file, data = new_path("served.jsonl"), Path(tempfile.mkdtemp()) / "served.db"
    client, prefix = redis.Redis.from_url(os.environ["REDIS_URL"]), f"{uuid.uuid4()}:"
    return {
        "memory": lambda now: MemoryStore(now),
        "file": lambda now: opened(file, now),
        "Redis": lambda now: RedisStore(client.execute_command, prefix=prefix, now=now),
        "SQL": lambda now: SqlStore(lambda: sqlite3.connect(data), now=now),
    }


class Stores(unittest.TestCase):
    def test_each_sets_a_key_only_from_the_value_that_it_has(self):
        for name, open_at in stores().items():
            with self.subTest(name):
                store = open_at(lambda: 1_000)
                changes = [(None, "one"), (None, "two"), ("one", "two"), ("x", "three")]
                self.assertIsNone(store.get("a"))
                self.assertEqual([store.replace("a", *change) for change in changes], [True, False, True, False])
                self.assertEqual((store.get("a"), store.get("b"), store.since()), ("two", None, 1_000))

    def test_each_gives_a_key_to_one_of_many_threads(self):
        for name, open_at in stores().items():
            with self.subTest(name):
                store, won = open_at(lambda: 1_000), []
                store.since()
                threads = [threading.Thread(target=lambda at=at: won.append(store.replace("a", None, f"by {at}"))) for at in range(20)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(sorted(won), [False] * 19 + [True])

    def test_those_outside_a_process_have_their_keys_and_their_age_when_opened_again(self):
        for name in ("file", "Redis", "SQL"):
            with self.subTest(name):
                open_at = stores()[name]
                self.assertEqual(open_at(lambda: 1_000).since(), 1_000)
                open_at(lambda: 1_000).replace("a", None, "one")
                again = open_at(lambda: 2_000)
                self.assertEqual((again.since(), again.get("a")), (1_000, "one"))

    def test_a_line_that_a_crash_or_a_failed_write_cut_off_is_forgotten_and_the_next_one_is_whole(self):
        path = new_path("served.jsonl")
        store = opened(path, lambda: 1_000)
        store.replace("a", None, "one")
        with open(path, "a") as file:
            file.write('["cut","x"')
        store.replace("b", None, "two")
        again = opened(path, lambda: 2_000)
        self.assertEqual([again.get("a"), again.get("cut"), again.get("b")], ["one", None, "two"])
        self.assertNotIn("cut", path.read_text())

    def test_those_on_the_disk_forget_what_is_a_day_old_without_a_restart(self):
        for name in ("file", "SQL"):
            with self.subTest(name):
                clock = [1_000]
                store = stores()[name](lambda: clock[0])
                store.replace("old", None, "x")
                clock[0] += KEPT_MS + 1
                store.replace("new", None, "y")
                self.assertEqual([store.get("old"), store.get("new"), store.since()], [None, "y", 1_000])

    def test_Redis_forgets_a_key_after_a_day_and_never_its_age(self):
        client = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
        store = RedisStore(client.execute_command, prefix="aging:", now=lambda: 1_000)
        self.assertEqual((store.since(), store.replace("a", None, "one"), store.get("a")), (1_000, True, "one"))
        self.assertTrue(KEPT_MS - 600_000 < client.pttl("aging:key:a") <= KEPT_MS)
        self.assertEqual(client.ttl("aging:since"), -1)

    def test_all_stores_of_a_path_in_one_process_are_one(self):
        path = new_path("served.jsonl")
        one, other = FileStore(path), FileStore(os.path.relpath(path))
        self.assertEqual([one.replace("a", None, SERVED), other.replace("a", None, SERVED)], [True, False])

    def test_a_file_is_of_one_process_until_that_ends(self):
        path = new_path("served.jsonl")
        # Not opened before its first use.
        store = FileStore(path)
        self.assertIs(in_process("spawn", use_file, path), True)
        self.assertEqual([store.replace("a", None, SERVED), store.replace("b", None, SERVED)], [False, True])
        self.assertIn("another process has", in_process("spawn", use_file, path))
        self.assertIn("before a fork", in_process("fork", use_file, path))

    def test_a_file_is_that_of_the_TypeScript_package(self):
        path = new_path("served.jsonl")
        path.parent.mkdir()
        path.write_text('["","",1000]\n["a","one",1500]\n')
        store = FileStore(path, lambda: 2_000)
        self.assertEqual((store.since(), store.get("a")), (1_000, "one"))


class Turns:
    """Lets others run before each call of the store. Its clock goes on while it waits, if time passes."""

    def __init__(self, passes=1):
        self.clock, self.passes = 0, passes

    async def sleep(self, seconds):
        self.clock += round(seconds * 1_000 * self.passes)
        await asyncio.sleep(0)

    async def call(self, function, *args):
        await asyncio.sleep(0)
        return function(*args)


class Answers(unittest.IsolatedAsyncioTestCase):
    def served(self, store, turns, apart=0, within=60_000):
        """A process whose clock says another time than those of the others."""
        return Served(store, within, turns, lambda: turns.clock + apart)

    async def test_an_answer_of_a_process_that_died_is_given_again_after_its_time_by_one_of_the_others(self):
        store, turns = MemoryStore(), Turns(passes=0)
        dead, *others = (self.served(store, turns, apart) for apart in (0, 3_600_000, -3_600_000))
        with mock.patch("quittance_x402.served._Later.call"):
            self.assertEqual([await dead.take("a"), await dead.take("a")], [True, False])
            taking = asyncio.gather(*(one.take("a") for one in others))
            for turns.clock in (0, 179_999, 180_000):
                self.assertFalse(taking.done())
                for _ in range(20):
                    await asyncio.sleep(0)
            self.assertEqual(sorted(await taking), [False, True])

    async def test_a_process_waits_once_for_a_mark_that_stays_and_its_settle_follows_its_verify(self):
        store, turns = MemoryStore(), Turns()
        dead, other = self.served(store, turns), self.served(store, turns)
        with mock.patch("quittance_x402.served._Later.call"):
            await dead.take("a")
            self.assertTrue(await other.is_open("a"))
            waited = turns.clock
            self.assertTrue(await other.take("a"))
        self.assertEqual(turns.clock, waited)

    async def test_a_fork_that_died_leaves_a_mark_that_the_other_forks_know_for_no_mark_of_theirs(self):
        turns = Turns()
        served = self.served(MemoryStore(), turns)
        with mock.patch("quittance_x402.served._Later.call"), mock.patch("os.getpid", side_effect=lambda: fork):
            fork = 1
            self.assertTrue(await served.take("a"))
            self.assertFalse(await served.is_open("a"))
            fork = 2
            self.assertEqual([await served.is_open("a"), await served.take("a")], [True, True])

    async def test_many_answers_count_as_sent_by_one_thread_which_ends(self):
        store, before = MemoryStore(), threading.active_count()
        served = self.served(store, Turns(), within=200)
        for at in range(50):
            self.assertTrue(await served.take(str(at)))
        self.assertEqual(threading.active_count(), before + 1)
        until = time.monotonic() + 30
        while threading.active_count() > before and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual({store.get(str(at)) for at in range(50)}, {SERVED})
        self.assertEqual(threading.active_count(), before)
        self.assertTrue(await served.take("again"))

    async def test_without_a_thread_an_answer_counts_at_once(self):
        store = MemoryStore()
        served = self.served(store, Turns())
        with mock.patch("threading.Thread.start", side_effect=RuntimeError("can't start new thread")):
            self.assertTrue(await served.take("a"))
        self.assertEqual([store.get("a"), await served.take("a")], [SERVED, False])

    async def test_a_failed_write_keeps_no_later_answer_from_counting(self):
        store = MemoryStore()
        served = self.served(store, Turns(), within=100)
        replace = store.replace

        def failing(key, before, after):
            if key == "a" and after == SERVED:
                raise OSError("the disk is full")
            return replace(key, before, after)

        with mock.patch.object(store, "replace", failing), self.assertLogs("quittance_x402", "WARNING"):
            await served.take("a")
            await served.take("b")
            until = time.monotonic() + 30
            while store.get("b") != SERVED and time.monotonic() < until:
                time.sleep(0.05)
        self.assertEqual(store.get("b"), SERVED)
        self.assertFalse(await served.is_open("a"))


class Recovering(unittest.TestCase):
    def test_a_settlement_is_compared_with_what_is_asked(self):
        for name, payload, requirements, settlement, fits in GIVEN["terms"]["cases"]:
            with self.subTest(name):
                self.assertIs(recovering._fits(settlement, payload, requirements), fits)

    def test_verify_only_peeks_at_the_settlement(self):
        asked = []
        settlement = {**GIVEN["terms"]["settlement"], "created_at": datetime.now(timezone.utc).isoformat()}

        class Facilitator(BaseHTTPRequestHandler):
            def do_POST(self):
                asked.append(self.path)
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps({"settlements": [settlement]}).encode())

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Facilitator)
        threading.Thread(target=server.serve_forever, daemon=True).start()

        class Inner:
            url = f"http://127.0.0.1:{server.server_port}"

            def verify(self, payload, requirements):
                return VerifyResponse(is_valid=False, invalid_reason="duplicate_settlement")

            def settle(self, payload, requirements):
                return SettleResponse(success=False, error_reason="duplicate_settlement", transaction="", network="eip155:84532")

        client = RecoveringFacilitatorClientSync(Inner(), MemoryStore(lambda: 0), answer_within_ms=0)
        terms, signed = GIVEN["terms"]["terms"], GIVEN["terms"]["signed"]
        payload = PaymentPayload.model_validate({"x402Version": 2, "accepted": terms, "payload": signed})
        given = (payload, PaymentRequirements.model_validate(terms))
        self.assertTrue(client.verify(*given).is_valid)
        self.assertTrue(client.settle(*given).success)
        self.assertEqual(asked, ["/settlements/lookup?peek=true", "/settlements/lookup"])
        self.assertFalse(client.verify(*given).is_valid)
        server.shutdown()
        server.server_close()


PAYER, PAYEE, TOKEN, NONCE = (f"0x{digit * width}" for digit, width in (("a", 40), ("b", 40), ("c", 40), ("d", 64)))
TERMS = {
    "scheme": "exact",
    "network": "eip155:84532",
    "asset": TOKEN,
    "payTo": PAYEE,
    "amount": "1000",
    "maxTimeoutSeconds": 60,
    "extra": {},
}
SIGNED = {"from": PAYER, "to": PAYEE, "value": "1000", "validAfter": "0", "validBefore": "2000", "nonce": NONCE}
PAID = {"x402Version": 2, "accepted": TERMS, "payload": {"authorization": SIGNED, "signature": "0x01"}}
GIVEN_TO_CLIENTS = (PaymentPayload.model_validate(PAID), PaymentRequirements.model_validate(TERMS))
USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"
CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"


def logged(topics, data="0x"):
    words = [topic if len(topic) == 66 else f"0x{topic[2:].rjust(64, '0')}" for topic in topics]
    return {"address": TOKEN, "topics": words, "data": data, "transactionHash": "0x01"}


class Authorizations(unittest.TestCase):
    def state(self, *, used=1, time=1_000, logs=(logged([USED, PAYER, NONCE]),), receipt=(), payload=PAID):
        """What a node with these answers says of the payment."""
        answers = {
            "eth_getBlockByNumber": {"number": "0x10", "timestamp": hex(time)},
            "eth_call": f"0x{used:064x}",
            "eth_getLogs": list(logs),
            "eth_getTransactionReceipt": None if receipt is None else {"logs": list(receipt)},
        }

        def post(url, json, timeout):
            return httpx.Response(200, json={"result": answers[json["method"]]})

        with mock.patch("httpx.post", post):
            return evm_authorizations({"eip155:84532": BASE})(payload, TERMS)

    def test_an_authorization_is_unused_until_it_expires(self):
        self.assertEqual(self.state(used=0), AuthorizationState("unused"))
        self.assertEqual(self.state(used=0, time=2_000), AuthorizationState("dead"))

    def test_it_paid_if_its_own_transfer_follows_its_use(self):
        use, transfer = logged([USED, PAYER, NONCE]), logged([TRANSFER, PAYER, PAYEE], hex(1_000))
        self.assertEqual(self.state(receipt=[use, transfer]), AuthorizationState("paid", "0x01", PAYER))
        others = {
            "the next use": [use, logged([USED, PAYER, PAYEE]), transfer],
            "another payee": [use, logged([TRANSFER, PAYER, PAYER], hex(1_000))],
            "another amount": [use, logged([TRANSFER, PAYER, PAYEE], hex(999))],
            "another token": [use, {**transfer, "address": PAYER}],
            "a transfer before it": [transfer, use],
        }
        for name, receipt in others.items():
            with self.subTest(name):
                self.assertEqual(self.state(receipt=receipt), AuthorizationState("dead"))

    def test_it_is_dead_if_it_was_cancelled_and_used_while_the_node_lacks_the_transaction(self):
        self.assertEqual(self.state(logs=[logged([CANCELED, PAYER, NONCE])]), AuthorizationState("dead"))
        self.assertEqual(self.state(logs=[]), AuthorizationState("used"))
        self.assertEqual(self.state(receipt=None), AuthorizationState("used"))

    def test_other_payments_and_networks_are_not_read(self):
        self.assertIsNone(self.state(payload={**PAID, "payload": {"transaction": "AQ=="}}))
        self.assertIsNone(evm_authorizations({})(PAID, TERMS))


class Failover(unittest.TestCase):
    def setUp(self):
        self.asked = []

    def facilitator(self, url, said):
        """A facilitator that answers settle with this, or raises it."""
        asked = self.asked

        class Facilitator:
            def settle(self, payload, requirements):
                asked.append(url)
                if isinstance(said, Exception):
                    raise said
                return said

            def verify(self, payload, requirements):
                raise AssertionError("it was asked")

        Facilitator.url = url
        return Facilitator()

    def client(self, first, *states, wait_ms=60_000):
        """A client with a facilitator of this answer before one that works, and the chain in these states; in the last one for ever."""
        left = [AuthorizationState(*state) for state in states]
        works = SettleResponse(success=True, transaction="0x02", network="eip155:84532", payer=PAYER)
        clients = [self.facilitator("one", first), self.facilitator("two", works)]

        def read(payload, requirements):
            state = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(state, Exception):
                raise state
            return state

        client = FailoverFacilitatorClientSync(clients, MemoryStore(), read, answer_within_ms=0, wait_ms=wait_ms)
        return client, left

    def settled(self, client):
        answer = client.settle(*GIVEN_TO_CLIENTS)
        return answer.transaction if answer.success else answer.error_reason

    def test_the_second_settles_if_the_first_refused_or_was_never_reached(self):
        body = json.dumps({"success": False, "errorReason": "facilitator_unavailable"})
        for error in (ValueError(f"Facilitator settle failed (503): {body}"), httpx.ConnectError("refused"), httpx.ConnectTimeout("late")):
            with self.subTest(error):
                self.asked.clear()
                client, _ = self.client(error, ("unused",))
                self.assertEqual(self.settled(client), "0x02")
                self.assertEqual(self.asked, ["one", "two"])
                self.assertEqual(self.settled(client), "duplicate_settlement")

    def test_the_second_is_not_asked_if_the_first_took_the_payment_or_may_have(self):
        for error in (httpx.ReadTimeout("late"), httpx.ReadError("broken"), ValueError("Facilitator settle failed (502): <html>")):
            with self.subTest(error):
                self.asked.clear()
                client, _ = self.client(error, ("unused",), wait_ms=100)
                self.assertEqual(self.settled(client), "settlement_pending")
                self.assertEqual(set(self.asked), {"one"})

    def test_a_refusal_of_the_payment_itself_is_the_answer(self):
        refused = SettleResponse(success=False, error_reason="second_charge", transaction="", network="eip155:84532")
        self.assertEqual(self.settled(self.client(refused, ("unused",))[0]), "second_charge")
        self.assertEqual(self.asked, ["one"])

    def test_a_lost_answer_comes_from_the_chain_once(self):
        states = [("unused",), ("unused",), ("used",), ("paid", "0x01", PAYER)]
        client, _ = self.client(httpx.ReadError("broken"), *states)
        self.assertEqual(self.settled(client), "0x01")
        self.assertFalse(client.verify(*GIVEN_TO_CLIENTS).is_valid)
        self.assertEqual(self.settled(client), "duplicate_settlement")
        self.assertEqual(self.asked, ["one"])

    def test_a_used_payment_counts_only_if_this_merchant_sent_it(self):
        client, states = self.client(httpx.ReadError("broken"), ("used",), wait_ms=100)
        self.assertEqual(self.settled(client), "duplicate_settlement")
        states[0] = AuthorizationState("unused")
        self.assertEqual(self.settled(client), "settlement_pending")
        states[0] = AuthorizationState("used")
        self.assertTrue(client.verify(*GIVEN_TO_CLIENTS).is_valid)

    def test_a_refusal_by_a_facilitator_that_may_have_sent_the_payment_does_not_lose_it(self):
        refused = SettleResponse(success=False, error_reason="transaction_failed", transaction="", network="eip155:84532")
        client, states = self.client(refused, ("unused",))
        self.assertEqual([self.settled(client), self.settled(client)], ["transaction_failed", "transaction_failed"])
        states[0] = AuthorizationState("paid", "0x01", PAYER)
        self.assertEqual(self.settled(client), "0x01")
        self.assertEqual(self.asked, ["one", "one"])

    def test_an_answer_that_was_lost_while_no_node_answered_comes_from_the_chain_later(self):
        client, states = self.client(httpx.ReadError("broken"), ("unused",), wait_ms=100)
        states[0] = ConnectionError("no node answers")
        self.assertEqual(self.settled(client), "settlement_pending")
        states[0] = AuthorizationState("paid", "0x01", PAYER)
        self.assertEqual(self.settled(client), "0x01")
        self.assertEqual(set(self.asked), {"one"})

    def test_a_mark_of_another_request_stays(self):
        body = json.dumps({"success": False, "errorReason": "facilitator_unavailable"})
        client, states = self.client(ValueError(f"Facilitator settle failed (503): {body}"), ("unused",), wait_ms=100)
        store = client._failover._store
        marked = store.replace

        def replace(key, before, after):
            # Another request takes the payment to the first facilitator as soon as this one gave it free.
            done = marked(key, before, after)
            if after == "free":
                marked(key, after, f"{int(time.time() * 1_000)} other one")
            return done

        with mock.patch.object(store, "replace", replace):
            self.assertEqual(self.settled(client), "settlement_pending")
        self.assertEqual(self.asked, ["one"])

    def test_a_text_of_something_in_between_is_no_reason(self):
        error = ValueError('Facilitator settle failed (502): {"errorReason": "rate_limit_exceeded"}')
        client, _ = self.client(error, ("unused",), wait_ms=100)
        self.assertEqual(self.settled(client), "settlement_pending")
        self.assertEqual(set(self.asked), {"one"})

    def test_an_authorization_for_another_amount_or_payee_never_pays_these_terms(self):
        payload, terms = PAID, TERMS
        signed = {"from": PAYER, "to": terms["payTo"], "value": terms["amount"], "validAfter": "0", "validBefore": "1", "nonce": f"0x{'0a' * 32}"}
        read = evm_authorizations({terms["network"]: "http://127.0.0.1:9"})
        for change in ({"value": "1"}, {"to": PAYER}):
            asked = {**payload, "payload": {"authorization": {**signed, **change}, "signature": "0x01"}}
            self.assertEqual(read(asked, terms), AuthorizationState("dead"))


class Exports(unittest.TestCase):
    def test_all_names_exist(self):
        for name in quittance_x402.__all__:
            self.assertTrue(hasattr(quittance_x402, name), name)


if __name__ == "__main__":
    unittest.main()
