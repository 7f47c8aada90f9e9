import { type Hex, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Chain, startChain } from '../../../devnet/chain'
import { agreeing } from '../../support/nodes/agreeing-node'
import { callsInCappedBatch } from '../../support/nodes/capped-batch'
import type { Call, Fate } from '../../support/nodes/faulty-node'
import { signed } from '../../support/payloads/payments'
import { freshIp } from '../../support/service/client'
import type { ProcessAnswer } from '../../support/service/process'
import { until } from '../../support/until'
import { isTransfer } from '../kill/kills'
import { type Fault, moreEachSecond, type Setup, waits, whileLasting } from './fault'
import { isSend, nowAndThen } from './fault-harness'

/** Faults of an EVM chain, of its other users, and wrong answers of its node. */
export const ofChain: readonly Fault[] = [
  {
    id: 'P10',
    what: 'every eth_call goes well, gas is 30M; a payer without money each second',
    async happen(around) {
      const { node, flashNode } = around.setup
      const lie = (call: Call): Fate => {
        if (call.method === 'eth_estimateGas') return { result: '0x1c9c380' }
        return call.method === 'eth_call' ? agreeing(call) : undefined
      }
      node.disturb(lie)
      flashNode?.disturb(lie)
      await moreEachSecond(around, () => poorPayment(around))
      node.calm()
      flashNode?.calm()
    },
  },
  {
    id: 'P11',
    what: 'the only provider is of another chain for 3 s of 8',
    happen: turnToAnother,
  },
  {
    id: 'P11',
    what: 'one of two providers is of another chain for 3 s of 8',
    happen: turnToAnother,
    variables: ({ node, chain }) => ({ BASE_SEPOLIA_RPC_URL: `${node.url},${chain.url}` }),
  },
  {
    id: 'P12',
    what: 'base fee twenty times as high, then as before',
    happen: ({ setup, sleep, lasts }) =>
      whileLasting({ lasts }, async () => {
        await setup.chain.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 20_000_000_000n })
        await sleep(3_000)
      }),
  },
  ...[1, 2, 5].map((depth) => ({
    id: 'P13',
    what: `reorganisations of ${depth}, their transactions dropped`,
    async happen({ setup, sleep, lasts }: Setup) {
      await whileLasting({ lasts }, async () => {
        await sleep(5_000)
        await setup.chain.reorganise(depth)
      })
      // The auditor must not look before what was dropped is sent again.
      const unfinished = { state: { in: ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED'] } }
      await until(async () => (await setup.database.db.settlement.count({ where: unfinished })) === 0, 'all to be final')
    },
  })),
  {
    id: 'P14',
    what: 'a twentieth of all promised transactions dropped before a block takes them',
    tier: 'flash',
    async happen({ setup: { chain }, sleep, lasts }) {
      const twentieth = nowAndThen(1 / 20)
      await chain.client.setIntervalMining({ interval: 0 })
      await whileLasting({ lasts }, async () => {
        // Three times the interval of a preconfirmation.
        await sleep(600)
        for (const hash of await pendingOf(chain)) if (twentieth()) await chain.client.dropTransaction({ hash })
        await chain.mine(1)
      })
      await chain.client.setIntervalMining({ interval: 1 })
    },
  },
  {
    id: 'P15',
    what: 'a tenth of all authorizations used by another account just before',
    async happen(setup) {
      const { node, chain } = setup.setup
      const tenth = nowAndThen(1 / 10)
      const steal = await thiefOn(chain)
      const seen = new Set<Hex>()
      node.disturb(async (call) => {
        const fresh = isSend(call) ? transfersIn(call.params[0]).filter((data) => !seen.has(data)) : []
        for (const data of fresh) {
          seen.add(data)
          if (tenth()) await steal(data)
        }
        return undefined
      })
      await waits(setup)
      node.calm()
    },
  },
]

/** A payment whose payer has no USDC. */
async function poorPayment({ setup, services: [service] }: Setup): Promise<() => Promise<ProcessAnswer>> {
  const { timestamp } = await setup.chain.client.getBlock()
  // A payment that failed in a batch stays open until `validBefore`, which must come before the audit.
  const payment = await signed(privateKeyToAccount(generatePrivateKey()), { validBefore: timestamp + 30n })
  const customer = { payment, ip: freshIp() }
  return async () => (service ? setup.settle(service, customer) : 'no answer')
}

/** Breaks a connection; the next one leads to a node of another chain for a while. */
async function turnToAnother({ setup: { node }, sleep, lasts }: Setup): Promise<void> {
  const other = await startChain({ chainId: 8453, blockTimeSeconds: 0.2 })
  await whileLasting({ lasts }, async () => {
    node.receive(() => 'cut')
    await sleep(200)
    node.receive(() => undefined)
    node.disturb((call) => askAt(other.url, call))
    await sleep(3_000)
    node.calm()
    await sleep(5_000)
  })
  await other.stop()
}

async function askAt(url: string, call: Call): Promise<Fate> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', ...call }),
  })
  const { result, error }: { result?: unknown; error?: { code: number; message: string } } = await response.json()
  return error ? { error } : { result }
}

async function pendingOf({ client }: Chain): Promise<Hex[]> {
  const { pending } = await client.getTxpoolContent()
  return Object.values(pending).flatMap((byNonce) => Object.values(byNonce).map(({ hash }) => hash))
}

/** The calldata of each transfer in one of our transactions. */
function transfersIn(raw: unknown): Hex[] {
  if (!isTransfer(raw)) return []
  const { data = '0x' } = parseTransaction(raw)
  return callsInCappedBatch(data) ?? [data]
}

/** An account that sends the same transfer with a higher gas price. */
async function thiefOn(chain: Chain): Promise<(data: Hex) => Promise<unknown>> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.fund(account.address, 10n ** 20n)
  let nonce = 0
  return (data) =>
    chain.client.sendTransaction({
      account,
      chain: chain.client.chain,
      to: chain.usdc,
      data,
      nonce: nonce++,
      gas: 150_000n,
      maxPriorityFeePerGas: 10n ** 10n,
      maxFeePerGas: 10n ** 11n,
    })
}
