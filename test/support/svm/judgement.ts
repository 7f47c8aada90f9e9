import { base58 } from '@scure/base'
import { generateKeyPairSigner } from '@solana/kit'
import { newSecretKey } from '../../../devnet/solana/keys'
import { createSvmChain } from '../../../server/chains/svm/chain'
import { createSvmSigner } from '../../../server/chains/svm/signer'
import { parsePayment } from '../../../server/x402/parse'
import { isSvm, type SvmPayment } from '../../../server/x402/payment'
import { type FakeNode, fakeNode } from '../nodes/scripted-node'
import { cluster, DEVNET, inSlot, svmNodesTo, tokenAccount, wireAccount } from './fake-cluster'
import { SVM_USDC as mint, someAddress, svmPayment, svmTokenAccount, svmV2Body } from './forge'

export const AMOUNT = 2_500n
export const feePayer = createSvmSigner(newSecretKey())
const payer = await generateKeyPairSigner()
/** The owner of the source: the payer. */
export const owner = payer.address
export const payTo = someAddress()
/** The token accounts of the payer and of `payTo`. */
export const [source, destination] = await Promise.all([svmTokenAccount(owner), svmTokenAccount(payTo)])
export const transaction = await svmPayment({ payer, feePayer: feePayer.address, payTo, amount: AMOUNT })
export const payment = paymentOf(svmV2Body)

/** The parsed payment of a request of either version. */
export function paymentOf(body: typeof svmV2Body, sent = transaction): SvmPayment {
  const parsed = parsePayment(body(sent, { feePayer: feePayer.address, payTo, amount: AMOUNT }))
  if (!isSvm(parsed)) throw new Error('the payment cannot be read')
  return parsed
}

const before = {
  source: tokenAccount({ mint, owner, amount: AMOUNT }),
  destination: tokenAccount({ mint, owner: payTo, amount: 0n }),
}

/** Both accounts after the transfer. */
export const after = {
  source: tokenAccount({ mint, owner, amount: 40n }),
  destination: tokenAccount({ mint, owner: payTo, amount: AMOUNT }),
}

export type Accounts = Record<'source' | 'destination', unknown>

/** A simulation that works and leaves these accounts. */
export const passing = (accounts: Partial<Accounts> = {}) =>
  simulated(null, { accounts: [accounts.source ?? after.source, accounts.destination ?? after.destination] })

/** A simulation with this error. */
export const simulated = (err: unknown, more: object = {}) =>
  inSlot({ err, logs: [], accounts: null, unitsConsumed: 6_200, ...more })

/** What a node answers. */
export type World = { simulation: unknown; accounts?: Partial<Accounts>; height?: unknown; blockhashes?: unknown }

/** The newest blockhashes of a node: the payment's own behind so many others, in a list of so many. */
export function listOf(age: number | null, { length = 150, slot = 400 } = {}) {
  const data = Buffer.alloc(8 + 150 * 40)
  data.writeBigUInt64LE(BigInt(length), 0)
  for (let at = 0; at < Math.min(length, 150); at++)
    data.set(at === age ? base58.decode(payment.transfer.transaction.blockhash) : new Uint8Array(32).fill(9), 8 + at * 40)
  return { context: { slot }, value: wireAccount('Sysvar1111111111111111111111111111111111111', data) }
}

/** A chain whose node returns this simulation and these accounts. */
export async function world({ simulation, accounts = {}, height = 331, blockhashes = listOf(100) }: World) {
  const now = { source: before.source, destination: before.destination, ...accounts }
  const node = await fakeNode(
    cluster({
      simulateTransaction: simulation,
      getBlockHeight: height,
      getAccountInfo: blockhashes,
      getMultipleAccounts: inSlot([now.source, now.destination]),
    }),
  )
  const clock = { now: 0 }
  return { chain: createSvmChain(DEVNET, svmNodesTo(node.url), () => clock.now), node, clock }
}

/** What a chain judges in this world, and the methods that its node was asked. */
export async function judged(given: World, body = svmV2Body) {
  const { chain, node } = await world(given)
  const judgement = await chain.judge(paymentOf(body)).catch((error: unknown) => error)
  return { judgement, asked: callsOf(node) }
}

/** The calls of a node, without the proof of its cluster. */
export const callsOf = (node: FakeNode) => node.methods().filter((method) => method !== 'getGenesisHash')

/** A judgement that the payment failed. */
export const failed = (message: string) => ({
  valid: false,
  proven: true,
  reason: 'invalid_exact_svm_transaction_simulation_failed',
  message,
})
