# What needs no facilitator: `python cases.py`, with the receipts and the webhook of the service as JSON in CASES.
import asyncio
import json
import os
import sqlite3
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import quittance_x402
from quittance_x402 import (
    FileStore,
    InvalidReceipt,
    InvalidWebhook,
    MemoryStore,
    QuittanceChannels,
    SqlStore,
    create_facilitator_config,
    facilitator,
    payment_key,
    verify_receipt,
    verify_webhook,
)
from quittance_x402.served import Served
from quittance_x402.stores import KEPT_MS

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


class Webhooks(unittest.TestCase):
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


def stores():
    """Each kind of store, as what opens it once more at a time."""
    file, data = new_path("served.jsonl"), Path(tempfile.mkdtemp()) / "served.db"
    return {
        "memory": lambda now: MemoryStore(now),
        "file": lambda now: FileStore(file, now),
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

    def test_those_on_the_disk_have_their_keys_and_their_age_when_opened_again(self):
        for name in ("file", "SQL"):
            with self.subTest(name):
                open_at = stores()[name]
                self.assertEqual(open_at(lambda: 1_000).since(), 1_000)
                open_at(lambda: 1_000).replace("a", None, "one")
                again = open_at(lambda: 2_000)
                self.assertEqual((again.since(), again.get("a")), (1_000, "one"))

    def test_a_file_forgets_a_line_that_a_crash_cut_off_and_what_is_a_day_old(self):
        path = new_path("served.jsonl")
        FileStore(path, lambda: 1_000).replace("old", None, "x")
        with open(path, "a") as file:
            file.write('["cut","x"')
        self.assertIsNone(FileStore(path, lambda: 2_000).get("cut"))
        self.assertNotIn("cut", path.read_text())
        self.assertIsNone(FileStore(path, lambda: 1_000 + KEPT_MS).get("old"))

    def test_a_file_is_that_of_the_TypeScript_package(self):
        path = new_path("served.jsonl")
        path.parent.mkdir()
        path.write_text('["","",1000]\n["a","one",1500]\n')
        store = FileStore(path, lambda: 2_000)
        self.assertEqual((store.since(), store.get("a")), (1_000, "one"))


class Turns:
    """Lets others run before each call of the store."""

    async def sleep(self, seconds):
        raise AssertionError("it waited")

    async def call(self, function, *args):
        await asyncio.sleep(0)
        return function(*args)


class Answers(unittest.IsolatedAsyncioTestCase):
    async def test_an_answer_of_a_process_that_died_is_given_again_after_its_time_by_one_of_the_others(self):
        clock = [0]
        store = MemoryStore(lambda: clock[0])
        dead, *others = (Served(store, 60_000, Turns(), lambda: clock[0]) for _ in range(3))
        with mock.patch("threading.Timer"):
            self.assertEqual([await dead.take("a"), await dead.take("a")], [True, False])
            clock[0] = 180_000
            self.assertEqual(sorted(await asyncio.gather(*(one.take("a") for one in others))), [False, True])

    async def test_a_fork_that_died_leaves_a_mark_that_the_other_forks_know_for_no_mark_of_theirs(self):
        clock = [0]
        served = Served(MemoryStore(lambda: clock[0]), 60_000, Turns(), lambda: clock[0])
        with mock.patch("threading.Timer"), mock.patch("os.getpid", side_effect=lambda: fork):
            fork = 1
            self.assertTrue(await served.take("a"))
            self.assertFalse(await served.is_open("a"))
            fork, clock[0] = 2, 180_000
            self.assertEqual([await served.is_open("a"), await served.take("a")], [True, True])


class Exports(unittest.TestCase):
    def test_all_names_exist(self):
        for name in quittance_x402.__all__:
            self.assertTrue(hasattr(quittance_x402, name), name)


unittest.main()
