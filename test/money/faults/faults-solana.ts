import { signatureIn } from '../../../server/chains/svm/signer'
import type { Call, Fate, RpcProxy } from '../../support/nodes/faulty-node'
import type { ProcessAnswer } from '../../support/service/process'
import { inSlot, tokenAccount } from '../../support/svm/fake-cluster'
import { fromSlotsBehind } from '../../support/svm/stale-cluster'
import type { SvmKillSetup } from '../kill/svm'
import { type Fault, moreEachSecond, node, requests, type Setup } from './fault'
import { nowAndThen } from './fault-harness'

const is = (method: string) => (call: Call) => call.method === method
const isSend = is('sendTransaction')
const isSimulation = is('simulateTransaction')

/** Gives a random share of the calls of one method another fate. */
function some(
  id: string,
  what: string,
  share: number,
  isOne: (call: Call) => boolean,
  fate: (call: Call, node: RpcProxy) => Fate | Promise<Fate>,
) {
  return node<{ node: RpcProxy }>(id, what, ({ node }) => {
    const happens = nowAndThen(share)
    node.disturb((call) => (isOne(call) && happens() ? fate(call, node) : undefined))
  })
}

/** Faults of a Solana node. */
export const ofSolana: readonly Fault<SvmKillSetup>[] = [
  some('P3', 'the answers to a fifth of all sends lost', 1 / 5, isSend, () => 'lose the answer'),
  some('P7', 'a tenth of all sends taken and forgotten', 1 / 10, isSend, ({ params }) => ({
    result: signatureIn(String(params[0])),
  })),
  some('P16', 'half of all statuses null', 1 / 2, is('getSignatureStatuses'), (call, node) =>
    altered(call, node, (value) => (value as unknown[]).map(() => null)),
  ),
  some('P16', 'a fifth of all simulations answered as of an expired blockhash', 1 / 5, isSimulation, (call, node) =>
    altered(call, node, () => failedFor('BlockhashNotFound')),
  ),
  some('P16', 'a fifth of all simulations answered as of a payment made before', 1 / 5, isSimulation, (call, node) =>
    altered(call, node, () => failedFor('AlreadyProcessed')),
  ),
  some('P16', 'every send taken and answered as one made before', 1, isSend, async ({ method, params }, node) => {
    await node.forward(method, params)
    return { error: { code: -32_002, message: 'Transaction simulation failed: This transaction has already been processed' } }
  }),
  some(
    'P16',
    'half of all calls answered by a node 200 slots behind',
    1 / 2,
    () => true,
    (call, node) => fromSlotsBehind(node, call, 200),
  ),
  {
    id: 'P16',
    what: 'every simulation goes well; a payer without enough money each second',
    async happen(around) {
      const { setup } = around
      const payTo = await setup.harness.recipient()
      const poor = new Map<string, string>()
      setup.node.disturb((call) => {
        const payer = isSimulation(call) ? poor.get(messageOf(call.params[0])) : undefined
        return payer === undefined ? undefined : { result: fundedSimulation(setup, payer, payTo) }
      })
      await moreEachSecond(around, () => poorPayment(around, payTo, poor))
      setup.node.calm()
    },
  },
  requests('P17', 'a tenth of all requests never answered', 'hang', () => nowAndThen(1 / 10)),
]

async function altered({ method, params }: Call, node: RpcProxy, make: (value: unknown) => unknown): Promise<Fate> {
  const { result } = await node.forward(method, params)
  const { context, value } = result as { context: object; value: unknown }
  return { result: { context, value: make(value) } }
}

const failedFor = (err: string) => ({ err, logs: [], accounts: null })

/** The message of a base64 transaction, without its signatures. */
function messageOf(raw: unknown): string {
  const wire = Buffer.from(String(raw), 'base64')
  return wire.subarray(1 + 64 * (wire[0] ?? 0)).toString('base64')
}

/** A simulation answer in which both accounts are valid and the payer has enough USDC. */
function fundedSimulation({ harness: { solana } }: SvmKillSetup, payer: string, payTo: string) {
  const account = (owner: string, amount: bigint) => tokenAccount({ mint: solana.mint, owner, amount })
  return inSlot({ err: null, logs: [], accounts: [account(payer, 1_000_000n), account(payTo, 0n)], unitsConsumed: 5_000 })
}

/** A payment whose payer has half the amount; `poor` records its payer by its message. */
async function poorPayment(
  { setup, services: [service] }: Setup<SvmKillSetup>,
  payTo: string,
  poor: Map<string, string>,
): Promise<() => Promise<ProcessAnswer>> {
  const customer = await setup.newCustomer({ payTo, balance: 500n })
  poor.set(messageOf(customer.transaction), customer.payer.address)
  return async () => (service ? setup.settle(service, customer) : 'no answer')
}
