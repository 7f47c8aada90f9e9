import { base58 } from '@scure/base'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newSecretKey } from '../../../devnet/solana/keys'
import { type Solana, startSolana } from '../../../devnet/solana/solana'
import { svmNodesTo } from '../../../test/support/svm/fake-cluster'
import {
  instruction,
  PROGRAMS,
  SVM_NETWORK,
  SVM_USDC,
  type SvmPaymentOptions,
  someAddress,
  svmPayment,
  svmTokenAccount,
  svmV2Body,
  transferChecked,
} from '../../../test/support/svm/forge'
import { parsePayment } from '../../x402/parse'
import { isSvm, type SvmPayment } from '../../x402/payment'
import { decodeTransaction } from '../../x402/schemes/exact/svm/transaction'
import { createSvmChain, type SvmChain } from './chain'
import { createSvmSigner, type SvmSigner, signedTransaction } from './signer'

const SOL = 1_000_000_000n
let solana: Solana
let chain: SvmChain
let feePayer: SvmSigner
let payer: KeyPairSigner
let payTo: string

// Blocks come on request: an hour never passes here.
beforeAll(async () => {
  solana = await startSolana({ cluster: 'devnet', slotMs: 3_600_000, finalizedSlots: 8 })
  chain = chainOf()
})
afterAll(() => solana.stop())

/** A chain without remembered answers. A busy node has time to list its blockhashes. */
const chainOf = (now?: () => number) => createSvmChain(SVM_NETWORK, svmNodesTo(solana.url), now, 30_000)

// The payer holds 100 atomic units, payTo can hold them, and the fee payer can pay.
beforeEach(async () => {
  feePayer = createSvmSigner(newSecretKey())
  payer = await generateKeyPairSigner()
  payTo = (await generateKeyPairSigner()).address
  await Promise.all([solana.airdrop(feePayer.address, SOL), solana.mintTo(payer.address, 100n), solana.openAccount(payTo)])
})

async function blockhash(commitment = 'confirmed'): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [{ commitment }] }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(solana.url, init)).json()).result.value.blockhash
}

/** A payment of 60 by a payer with this transaction. */
async function payment(changes: Partial<SvmPaymentOptions> = {}): Promise<SvmPayment> {
  const usual = { payer, feePayer: feePayer.address, payTo, amount: 60n, blockhash: await blockhash() }
  const transaction = await svmPayment({ ...usual, ...changes })
  const parsed = parsePayment(svmV2Body(transaction, { feePayer: feePayer.address, payTo, amount: 60n }))
  if (!isSvm(parsed)) throw new Error('the payment cannot be read')
  return parsed
}

/** Lands a transaction that its signers and the fee payer sign. */
async function land(...instructions: ReturnType<typeof instruction>[]): Promise<void> {
  const text = await svmPayment({
    payer,
    feePayer: feePayer.address,
    payTo,
    blockhash: await blockhash(),
    instructions: () => instructions,
  })
  const transaction = decodeTransaction(text)
  if (!transaction) throw new Error('the transaction cannot be read')
  const { raw, signature } = signedTransaction(transaction, feePayer)
  await chain.send(raw)
  await solana.advance(2)
  expect(await chain.statuses([signature], false)).toMatchObject([{ failed: null }])
}

/** Whether the node would take a transaction with this blockhash. */
async function isTaken(blockhash: string): Promise<boolean> {
  const reports = await chain.signatureReports([{ signature: base58.encode(new Uint8Array(64).fill(1)), blockhash }])
  return reports.some(({ validBlockhashes }) => validBlockhashes.has(blockhash))
}

describe('a payment on a chain', () => {
  test('is judged, signed and sent, lands, and is settled for good', async () => {
    const paid = await payment()
    const judgement = await chain.judge(paid)
    expect(judgement).toMatchObject({ valid: true, headroom: 40n })

    const { raw, signature } = signedTransaction(paid.transfer.transaction, feePayer)
    expect(await chain.statuses([signature], true)).toEqual([null])
    expect(await chain.send(raw)).toEqual({ answer: 'accepted', detail: '' })
    await solana.advance(1)
    expect(await chain.statuses([signature], false)).toMatchObject([{ failed: null, commitment: 'processed' }])
    await solana.advance(1)
    expect(await chain.statuses([signature], false)).toMatchObject([{ failed: null, commitment: 'confirmed' }])
    await solana.advance(7)
    expect(await chain.statuses([signature], true)).toMatchObject([{ failed: null, commitment: 'finalized' }])

    expect([await solana.tokens(payTo), await solana.tokens(payer.address)]).toEqual([60n, 40n])
    expect(SOL - (await chain.balance(feePayer.address))).toBeGreaterThanOrEqual(10_000n)
    expect(await chain.judge(paid)).toMatchObject({ valid: false, message: expect.stringContaining('already processed') })
  })

  test('is judged at the newest confirmed height, and the cluster is the expected one', async () => {
    const fresh = chainOf()
    expect(await fresh.judge(await payment())).toMatchObject({ valid: true, height: (await fresh.finalizedHeight()) + 7n })
    expect(await fresh.isExpected()).toBe(true)
  })

  test('fails when the payer has too little, and is recorded as that', async () => {
    expect(await chain.judge(await payment({ amount: 101n }))).toMatchObject({
      valid: false,
      message: "The payer's balance is lower than the amount.",
      recorded: 'insufficient_funds',
    })
  })

  test('fails when payTo has no account, and costs nothing', async () => {
    payTo = (await generateKeyPairSigner()).address
    expect(await chain.judge(await payment())).toMatchObject({
      valid: false,
      message: expect.stringContaining('payTo has no USDC account on Solana devnet'),
    })
    expect(await chain.balance(feePayer.address)).toBe(SOL)
  })

  test('fails when the payer has no account', async () => {
    payer = await generateKeyPairSigner()
    expect(await chain.judge(await payment())).toMatchObject({
      valid: false,
      message: expect.stringContaining('The payer has no USDC account'),
      recorded: 'insufficient_funds',
    })
  })

  test('fails when it may use too few compute units', async () => {
    for (const computeUnits of [100, 400]) {
      expect(await chain.judge(await payment({ computeUnits }))).toMatchObject({
        valid: false,
        message: 'The transfer needs more compute units than the transaction allows; sign one with a higher limit.',
      })
    }
  })

  test('fails with a blockhash that was never there, and once its own is too old', async () => {
    const outdated = { valid: false, message: expect.stringContaining('sign again') }
    expect(await chain.judge(await payment({ blockhash: someAddress() }))).toMatchObject(outdated)
    const paid = await payment()
    const { blockhash: own } = paid.transfer.transaction
    expect(await isTaken(own)).toBe(true)
    await solana.advance(155)
    expect(await chain.judge(paid)).toMatchObject(outdated)
    // Too old for the newest block, and the finalized one is a few blocks behind.
    await solana.advance(20)
    expect(await isTaken(own)).toBe(false)
  })

  test('fails once its blockhash has too few blocks left, to the last of them, and says how many', async () => {
    const paid = await payment()
    const now = () => chainOf().judge(paid)
    expect(await now()).toMatchObject({ valid: true, left: 150n })
    await solana.advance(135)
    expect(await now()).toMatchObject({ valid: true, left: 15n })
    for (const left of [14, 13]) {
      await solana.advance(1)
      expect(await now()).toEqual({
        valid: false,
        proven: true,
        reason: 'invalid_exact_svm_transaction_simulation_failed',
        message: `The transaction's blockhash expires in ${left} blocks, and a payment needs 15; sign again with a new one.`,
      })
    }
    // In its last block it is valid and no longer in the list.
    await solana.advance(13)
    expect(await isTaken(paid.transfer.transaction.blockhash)).toBe(true)
    expect(await now()).toMatchObject({ valid: false, message: expect.stringContaining('expires in 0 blocks') })
    await solana.advance(1)
    expect(await now()).toMatchObject({ valid: false, message: expect.stringContaining('has expired') })
  })

  test('with a blockhash newer than the list that was read is judged by a newer one', async () => {
    const fresh = chainOf(() => 0)
    expect(await fresh.judge(await payment())).toMatchObject({ valid: true, left: 150n })
    await solana.advance(7)
    const younger = await payment()
    await solana.advance(3)
    expect(await fresh.judge(younger)).toMatchObject({ valid: true, left: 147n })
  })

  test('fails with a blockhash that is not confirmed yet, and is valid once it is', async () => {
    const paid = await payment({ blockhash: await blockhash('processed') })
    expect(await chain.judge(paid)).toMatchObject({ valid: false, message: expect.stringContaining('not known on chain yet') })
    await solana.advance(1)
    expect(await chain.judge(paid)).toMatchObject({ valid: true })
  })

  test.each([
    ['of all zeros', '1'.repeat(32)],
    ['of another cluster', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'],
    ['that is the value of a nonce account', someAddress()],
  ])('fails with a blockhash %s, which no list holds', async (_, strange) => {
    expect(await chain.judge(await payment({ blockhash: strange }))).toMatchObject({
      valid: false,
      message: expect.stringContaining('not known on chain yet'),
    })
  })

  test('is our fault when our fee payer has no balance', async () => {
    const unavailable = { refusal: 'unavailable', facts: { reason: 'facilitator_unavailable' } }
    for (const lamports of [0n, 5_000n]) {
      await solana.setLamports(feePayer.address, lamports)
      await expect(chain.judge(await payment())).rejects.toMatchObject(unavailable)
    }
  })

  test('fails when a delegate spends what another one owns, although it would land', async () => {
    const delegate = await generateKeyPairSigner()
    const source = await svmTokenAccount(payer.address)
    const allowed = Buffer.alloc(9, 4)
    allowed.writeBigUInt64LE(100n, 1)
    await land(instruction(PROGRAMS.token, [`${source}!`, delegate.address, `+${payer.address}`], allowed))
    const spends = transferChecked({
      source,
      mint: SVM_USDC,
      destination: await svmTokenAccount(payTo),
      authority: delegate.address,
      amount: 60n,
    })
    const paid = await payment({
      payer: delegate,
      instructions: ([limit, price]) => [limit, price, spends].flatMap((one) => one ?? []),
    })
    expect(await chain.judge(paid)).toMatchObject({ valid: false, message: expect.stringContaining("a delegate's transfer") })
  })
})
