# A storage of channels that a test drives: storage.py <facilitator URL> <answer within ms> <give up after ms>.
# Reads calls as lines of JSON, [name, ...arguments], and prints their results as lines of JSON.
import json
import os
import sys
import threading
from dataclasses import replace

from quittance_x402 import QuittanceChannels
from x402.mechanisms.evm.batch_settlement.server import Channel

url, answer_within, give_up_after = sys.argv[1:4]
storage = QuittanceChannels(
    url=url, network="eip155:84532", answer_within_ms=int(answer_within), give_up_after_ms=int(give_up_after)
)


def get(channel_id):
    channel = storage.get(channel_id)
    return None if channel is None else channel.to_dict()


def keep(row):
    return storage.update_channel(row["channelId"], lambda current: Channel.from_dict(row)).status


def remove(channel_id):
    return [storage.update_channel(channel_id, lambda current: None).status for _ in range(2)]


def charge(channel_id, times):
    """Charges one unit so many times, each in a thread of its own."""

    def once():
        def more(current):
            return replace(current, charged_cumulative_amount=str(int(current.charged_cumulative_amount) + 1))

        storage.update_channel(channel_id, more)

    threads = [threading.Thread(target=once) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return "charged"


def fork(channel_ids):
    """Reads other channels in a fork and here, at the same time; the exit code of the fork."""
    child = os.fork()
    mine = channel_ids[0 if child == 0 else 1]
    for _ in range(100):
        if storage.get(mine).channel_id != mine:
            os._exit(1)
    if child == 0:
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def all_ids():
    return sorted(channel.channel_id for channel in storage.list())


calls = {"acquire": storage.acquire, "release": storage.release, "isHeld": storage.is_held, "list": all_ids}
calls |= {"get": get, "keep": keep, "remove": remove, "charge": charge, "fork": fork}
for line in sys.stdin:
    name, *given = json.loads(line)
    print(json.dumps(calls[name](*given)), flush=True)
