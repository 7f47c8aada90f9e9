import { describe, expect, test } from 'vitest'
import { badGateway, fakeNode } from '../../../test/support/nodes/scripted-node'
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
} from '../../../test/support/svm/fake-cluster'
import { SVM_USDC as mint, svmV2Body } from '../../../test/support/svm/forge'
import {
  AMOUNT,
  after,
  destination,
  failed,
  feePayer,
  judged,
  owner,
  passing,
  payment,
  paymentOf,
  simulated,
  source,
  transaction,
  type World,
  world,
} from '../../../test/support/svm/judgement'
import { SYSTEM_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import { createSvmChain } from './chain'
import { signedTransaction } from './signer'

describe('a transfer that would work', () => {
  test('is valid at the newest height, with what it leaves in the source, in one round trip', async () => {
    const { judgement, asked } = await judged({ simulation: passing() })
    const transfer = { payer: owner, source, mint, destination, amount: AMOUNT }
    expect(judgement).toEqual({ valid: true, transfer, height: 331n, left: 50n, slot: 400n, headroom: 40n })
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
  test("fails when the source is not the payer's own: a delegate's transfer", async () => {
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

test.each<[string, unknown]>([
  ['cannot pay the fee', 'InsufficientFundsForFee'],
  ['was never funded', 'AccountNotFound'],
  ['is no wallet', 'InvalidAccountForFee'],
  ['would not keep its rent', { InsufficientFundsForRent: { account_index: 0 } }],
])("a fee payer of ours that %s is our fault and not the payer's: a 503", async (_, err) => {
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
