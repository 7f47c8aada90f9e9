import { base58 } from '@scure/base'
import { generateKeyPairSigner } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { newSecretKey } from '../../../devnet/solana/keys'
import {
  addressOf,
  cluster,
  DEVNET,
  inSlot,
  MAINNET_GENESIS,
  refusal,
  svmNodesTo,
  tokenAccount,
  wireAccount,
} from '../../../test/fake-cluster'
import { badGateway, type FakeNode, fakeNode } from '../../../test/fake-node'
import { SVM_USDC as mint, someAddress, svmPayment, svmTokenAccount, svmV1Body, svmV2Body } from '../../../test/svm-forge'
import { parsePayment } from '../../x402/parse'
import { isSvm, type SvmPayment } from '../../x402/payment'
import { SYSTEM_PROGRAM } from '../../x402/schemes/exact-svm/instructions'
import { createSvmChain } from './chain'
import { createSvmSigner, signedTransaction } from './signer'

const AMOUNT = 2_500n
const feePayer = createSvmSigner(newSecretKey())
const payer = await generateKeyPairSigner()
const owner = payer.address
const payTo = someAddress()
const [source, destination] = await Promise.all([svmTokenAccount(owner), svmTokenAccount(payTo)])
const transaction = await svmPayment({ payer, feePayer: feePayer.address, payTo, amount: AMOUNT })
const payment = paymentOf(svmV2Body)

/** The parsed payment of a request of either version. */
function paymentOf(body: typeof svmV2Body, sent = transaction): SvmPayment {
  const parsed = parsePayment(body(sent, { feePayer: feePayer.address, payTo, amount: AMOUNT }))
  if (!isSvm(parsed)) throw new Error('the payment cannot be read')
  return parsed
}

const before = {
  source: tokenAccount({ mint, owner, amount: AMOUNT }),
  destination: tokenAccount({ mint, owner: payTo, amount: 0n }),
}
const after = {
  source: tokenAccount({ mint, owner, amount: 40n }),
  destination: tokenAccount({ mint, owner: payTo, amount: AMOUNT }),
}

type Accounts = Record<'source' | 'destination', unknown>

const passing = (accounts: Partial<Accounts> = {}) =>
  simulated(null, { accounts: [accounts.source ?? after.source, accounts.destination ?? after.destination] })
const simulated = (err: unknown, more: object = {}) => inSlot({ err, logs: [], accounts: null, unitsConsumed: 6_200, ...more })

type World = { simulation: unknown; accounts?: Partial<Accounts>; height?: unknown; blockhashes?: unknown }

/** The newest blockhashes of a node: the payment's own behind so many others, in a list of so many. */
function listOf(age: number | null, { length = 150, slot = 400 } = {}) {
  const data = Buffer.alloc(8 + 150 * 40)
  data.writeBigUInt64LE(BigInt(length), 0)
  for (let at = 0; at < Math.min(length, 150); at++)
    data.set(at === age ? base58.decode(payment.transfer.transaction.blockhash) : new Uint8Array(32).fill(9), 8 + at * 40)
  return { context: { slot }, value: wireAccount('Sysvar1111111111111111111111111111111111111', data) }
}

/** A chain whose node returns this simulation and these accounts. */
async function world({ simulation, accounts = {}, height = 331, blockhashes = listOf(100) }: World) {
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

async function judged(given: World, body = svmV2Body) {
  const { chain, node } = await world(given)
  const judgement = await chain.judge(paymentOf(body)).catch((error: unknown) => error)
  return { judgement, asked: callsOf(node) }
}

const callsOf = (node: FakeNode) => node.methods().filter((method) => method !== 'getGenesisHash')

const failed = (message: string) => ({
  valid: false,
  proven: true,
  reason: 'invalid_exact_svm_transaction_simulation_failed',
  message,
})

describe('a transfer that would work', () => {
  test('is valid at the newest height, with what it leaves in the source, in one round trip', async () => {
    const { judgement, asked } = await judged({ simulation: passing() })
    expect(judgement).toEqual({ valid: true, height: 331n, left: 50n, slot: 400n, headroom: 40n })
    expect(asked.sort()).toEqual(['getAccountInfo', 'getBlockHeight', 'simulateTransaction'])
  })

  test('is simulated as it came, on the newest confirmed block, with its own blockhash', async () => {
    const { chain, node } = await world({ simulation: passing() })
    await chain.judge(payment)
    const asked = node.requests.flat().find(({ method }) => method === 'simulateTransaction')
    expect(asked?.params).toEqual([
      transaction,
      {
        sigVerify: false,
        replaceRecentBlockhash: false,
        commitment: 'confirmed',
        encoding: 'base64',
        accounts: { encoding: 'base64', addresses: [source, destination] },
      },
    ])
  })

  test('is simulated without our signature, which it has when it was on the chain already', async () => {
    const { raw } = signedTransaction(payment.transfer.transaction, feePayer)
    const { chain, node } = await world({ simulation: passing() })
    await chain.judge(paymentOf(svmV2Body, raw))
    expect(raw).not.toBe(transaction)
    expect(node.requests.flat().find(({ method }) => method === 'simulateTransaction')?.params[0]).toBe(transaction)
  })

  test('shares the height with others for a second, but no failure', async () => {
    let height = 331
    const { chain, node, clock } = await world({
      simulation: passing(),
      height: () => (height === 333 ? refusal(-32_005, 'Node is behind') : height),
    })
    const heights = async () => {
      const both = await Promise.all([chain.judge(payment), chain.judge(payment)])
      return both.map((judgement) => (judgement.valid ? judgement.height : null))
    }
    expect(await heights()).toEqual([331n, 331n])
    height = 332
    clock.now = 999
    expect(await heights()).toEqual([331n, 331n])
    clock.now = 1_000
    expect(await heights()).toEqual([332n, 332n])
    expect(node.methods().filter((method) => method === 'getBlockHeight')).toHaveLength(2)

    height = 333
    clock.now = 2_000
    await expect(chain.judge(payment)).rejects.toMatchObject({ refusal: 'upstream' })
    height = 334
    expect(await heights()).toEqual([334n, 334n])
  })
})

describe('a transfer that would work, but with the money of an unscreened owner', () => {
  test('fails when the source is not the payer’s own: a delegate’s transfer', async () => {
    const delegated = tokenAccount({ mint, owner: addressOf(7), amount: 40n })
    const { judgement } = await judged({ simulation: passing({ source: delegated }) })
    expect(judgement).toEqual(failed(`The source (${source}) is not the payer's own; a delegate's transfer is not accepted.`))
  })

  test('fails when the account of payTo was given to another wallet', async () => {
    const given = tokenAccount({ mint, owner: addressOf(7), amount: AMOUNT })
    const { judgement } = await judged({ simulation: passing({ destination: given }) })
    expect(judgement).toEqual(failed(`The destination (${destination}) belongs to another wallet than payTo.`))
  })
})

describe('a transfer that would fail', () => {
  const custom = (code: number) => ({ InstructionError: [2, { Custom: code }] })
  const title = 'Solana devnet'

  test.each<[string, unknown, string[], string]>([
    [
      'with a blockhash that the chain does not know',
      'BlockhashNotFound',
      [],
      "The transaction's blockhash has expired or is not known on chain yet; sign again with a new one.",
    ],
    [
      'because it was on the chain already',
      'AlreadyProcessed',
      [],
      'This transaction was already processed on chain; sign a new one.',
    ],
    [
      'because a builtin runs out of compute units',
      { InstructionError: [0, 'ComputationalBudgetExceeded'] },
      [],
      'The transfer needs more compute units than the transaction allows; sign one with a higher limit.',
    ],
    [
      'because a program runs out of compute units',
      { InstructionError: [2, 'ProgramFailedToComplete'] },
      ['Program log: x', 'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: exceeded CUs meter at BPF instruction'],
      'The transfer needs more compute units than the transaction allows; sign one with a higher limit.',
    ],
  ])('%s is explained by the error alone', async (_, err, logs, message) => {
    const { judgement, asked } = await judged({ simulation: simulated(err, { logs }) })
    expect(judgement).toEqual(failed(message))
    expect(asked).not.toContain('getMultipleAccounts')
  })

  test.each<[string, unknown, Partial<Accounts>, string]>([
    [
      'because payTo cannot hold USDC',
      { InstructionError: [2, 'InvalidAccountData'] },
      { destination: null },
      `payTo has no USDC account on ${title} (${destination}); it must be opened before it can be paid; we never create it.`,
    ],
    [
      'because the destination is something else',
      { InstructionError: [2, 'IncorrectProgramId'] },
      { destination: wireAccount(SYSTEM_PROGRAM, new Uint8Array()) },
      `The destination (${destination}) is not a token account.`,
    ],
    [
      'because the source is something else',
      { InstructionError: [2, 'IncorrectProgramId'] },
      { source: wireAccount(SYSTEM_PROGRAM, new Uint8Array()) },
      `The source (${source}) is not a token account.`,
    ],
    [
      'because the source is of another mint',
      custom(3),
      { source: tokenAccount({ mint: addressOf(8), owner, amount: AMOUNT }) },
      `The source (${source}) is of another mint.`,
    ],
    [
      'because the source is frozen',
      custom(17),
      { source: tokenAccount({ mint, owner, amount: AMOUNT, state: 2 }) },
      `The source (${source}) is frozen.`,
    ],
    [
      'because the destination is frozen',
      custom(17),
      { destination: tokenAccount({ mint, owner: payTo, amount: 0n, state: 2 }) },
      `The destination (${destination}) is frozen.`,
    ],
    [
      'because the payer has no right to the source',
      custom(4),
      { source: tokenAccount({ mint, owner: addressOf(7), amount: AMOUNT }) },
      `The source (${source}) is not the payer's own; a delegate's transfer is not accepted.`,
    ],
  ])('%s is explained by the accounts', async (_, err, accounts, message) => {
    const { judgement, asked } = await judged({ simulation: simulated(err), accounts })
    expect(judgement).toEqual(failed(message))
    expect(asked.filter((method) => method === 'getMultipleAccounts')).toHaveLength(1)
  })

  test.each<[string, Partial<Accounts>, string]>([
    ['has no account', { source: null }, `The payer has no USDC account on ${title} (${source}).`],
    [
      'has too little',
      { source: tokenAccount({ mint, owner, amount: AMOUNT - 1n }) },
      "The payer's balance is lower than the amount.",
    ],
  ])('because the payer %s is recorded as a lack of funds', async (_, accounts, message) => {
    const { judgement } = await judged({ simulation: simulated(custom(1)), accounts })
    expect(judgement).toEqual({ ...failed(message), recorded: 'insufficient_funds' })
  })

  test.each<[string, unknown, string]>([
    ['an assertion of the wallet', { InstructionError: [3, { Custom: 6_400 }] }, 'instruction 3: custom program error 0x1900'],
    ['a stop', { InstructionError: [2, 'ProgramFailedToComplete'] }, 'instruction 2: ProgramFailedToComplete'],
    ['a part that will not be read', { InstructionError: [2, { BorshIoError: 'x' }] }, 'instruction 2: BorshIoError'],
    ['rent of others', { InsufficientFundsForRent: { account_index: 3 } }, 'InsufficientFundsForRent'],
    ['an unknown error', { Surprise: { deep: [] }, More: 1 }, 'Surprise More'],
    ['a name', 'SanitizeFailure', 'SanitizeFailure'],
    ['text that would break a line', 'a\n<b>\u202e\u0000c', 'a<b>c'],
    ['endless text', 'x'.repeat(5_000), 'x'.repeat(120)],
  ])('for %s is explained by the node’s text, printable and bounded', async (_, err, words) => {
    const { judgement } = await judged({ simulation: simulated(err) })
    expect(judgement).toEqual(failed(`The transfer would fail on chain: ${words}`))
  })

  test('for bytes that the node cannot run is explained by its text', async () => {
    const simulation = refusal(-32_602, 'invalid transaction: Transaction failed to sanitize accounts offsets correctly')
    const { judgement } = await judged({ simulation })
    const words = 'invalid transaction: Transaction failed to sanitize accounts offsets correctly'
    expect(judgement).toEqual(failed(`The transfer would fail on chain: ${words}`))
  })

  test('has the short code of x402 version 1 there', async () => {
    expect((await judged({ simulation: simulated('BlockhashNotFound') }, svmV1Body)).judgement).toMatchObject({
      reason: 'transaction_simulation_failed',
      message: expect.stringContaining('sign again'),
    })
    expect((await judged({ simulation: simulated(custom(1)), accounts: { source: null } }, svmV1Body)).judgement).toMatchObject({
      reason: 'transaction_simulation_failed',
      recorded: 'insufficient_funds',
    })
  })
})

describe('how long its blockhash lives', () => {
  test.each<[string, unknown, bigint]>([
    ['is given by its position in the list', listOf(0), 150n],
    ['is given by its position in the list', listOf(135), 15n],
    ['is not known of a node without the list: all of its life counts', refusal(-32_601, 'Method not found'), 150n],
    ['is not known from an empty account', { context: { slot: 400 }, value: null }, 150n],
    ['is not known from a list that is cut off', listOf(null, { length: 151 }), 150n],
    ['is not known from a list that is older than the simulation', listOf(null, { slot: 399 }), 150n],
    ['is not known from a short list that lacks it', listOf(null, { length: 149 }), 150n],
  ])('%s (%#)', async (_, blockhashes, left) => {
    expect((await judged({ simulation: passing(), blockhashes })).judgement).toMatchObject({ valid: true, left })
  })

  test.each<[string, unknown, number]>([
    ['by its place', listOf(136), 14],
    ['by its place, the last one', listOf(149), 1],
    ['because a whole list of now lacks it', listOf(null), 0],
  ])('is too little: %s', async (_, blockhashes, left) => {
    const { judgement } = await judged({ simulation: passing(), blockhashes })
    expect(judgement).toEqual(
      failed(`The transaction's blockhash expires in ${left} blocks, and a payment needs 15; sign again with a new one.`),
    )
  })

  test('is one read a second for all payments, also when no node answers', async () => {
    for (const blockhashes of [listOf(3), refusal(-32_601, 'Method not found')]) {
      const { chain, node, clock } = await world({ simulation: passing(), blockhashes })
      const reads = () => callsOf(node).filter((method) => method === 'getAccountInfo').length
      await Promise.all([1, 2, 3].map(() => chain.judge(payment)))
      clock.now = 999
      await chain.judge(payment)
      expect(reads()).toBe(1)
      clock.now = 1_001
      await chain.judge(payment)
      expect(reads()).toBe(2)
    }
  })
})

test.each<[string, unknown]>([
  ['cannot pay the fee', 'InsufficientFundsForFee'],
  ['was never funded', 'AccountNotFound'],
  ['is no wallet', 'InvalidAccountForFee'],
  ['would not keep its rent', { InsufficientFundsForRent: { account_index: 0 } }],
])('a fee payer of ours that %s is our fault and not the payer’s: a 503', async (_, err) => {
  const { judgement, asked } = await judged({ simulation: simulated(err) })
  expect(judgement).toMatchObject({
    refusal: 'unavailable',
    message: 'the fee payer on Solana devnet is short of SOL; nothing was sent, try again later',
    facts: { reason: 'facilitator_unavailable', retryAfterSeconds: 60 },
  })
  expect(asked).not.toContain('getMultipleAccounts')
})

describe('a node that does not answer', () => {
  const upstream = {
    refusal: 'upstream',
    message: 'the Solana devnet node did not answer; nothing was sent, try again',
    facts: { reason: 'upstream_unreachable' },
  }

  test.each<[string, World]>([
    ['no accounts after a transfer that works', { simulation: simulated(null) }],
    ['one account', { simulation: simulated(null, { accounts: [after.source] }) }],
    ['no source after it', { simulation: simulated(null, { accounts: [null, after.destination] }) }],
    ['something else than token accounts', { simulation: passing({ source: wireAccount(SYSTEM_PROGRAM, new Uint8Array()) }) }],
    ['no error field', { simulation: inSlot({ logs: [], accounts: [after.source, after.destination] }) }],
    ['an error that is none', { simulation: simulated(0) }],
    ['nothing', { simulation: null }],
    ['text', { simulation: 'ok' }],
    ['no height', { simulation: passing(), height: null }],
    ['a refusal', { simulation: refusal(-32_005, 'Node is behind by 200 slots') }],
    ['a complaint about our own parameters', { simulation: refusal(-32_602, 'Invalid params: unknown field `accounts`') }],
    ['a failure and nothing about the accounts', { simulation: simulated('SanitizeFailure'), accounts: { source: 7 } }],
  ])('in the form that it must is a 502: %s', async (_, given) => {
    expect((await judged(given)).judgement).toMatchObject(upstream)
  })

  test('at all is a 502, and another endpoint answers in its place', async () => {
    const broken = await fakeNode(badGateway)
    await expect(createSvmChain(DEVNET, svmNodesTo(broken.url)).judge(payment)).rejects.toMatchObject(upstream)
    const { node } = await world({ simulation: passing() })
    expect(await createSvmChain(DEVNET, svmNodesTo(broken.url, node.url)).judge(payment)).toMatchObject({ valid: true })
  })

  test('of the wrong cluster is a 503, even with a good simulation', async () => {
    const foreign = await fakeNode(cluster({ simulateTransaction: passing(), getBlockHeight: 331 }, MAINNET_GENESIS))
    await expect(createSvmChain(DEVNET, svmNodesTo(foreign.url)).judge(payment)).rejects.toMatchObject({ refusal: 'unavailable' })
  })
})
