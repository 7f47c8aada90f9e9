import type { KeyPairSigner } from '@solana/kit'
import { toFacilitatorSvmSigner } from '@x402/svm'
import { UptoSvmScheme as UptoClient } from '@x402/svm/upto/client'
import { UptoSvmScheme as UptoFacilitator } from '@x402/svm/upto/facilitator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callChannel, channelAt, rentOf } from '../../../test/support/svm/channels'
import { newSecretKey, signerOf } from '../keys'
import { type Solana, startSolana } from '../solana'
import { status } from './account'

const SOL = 1_000_000_000n
const MAXIMUM = 100_000n
const DELAY = 900
const [CHANNEL_BYTES, TOKEN_BYTES] = [256n, 165n]

let chain: Solana
let feePayer: KeyPairSigner
let authorizer: KeyPairSigner
let official: UptoFacilitator
beforeAll(async () => {
  chain = await startSolana({ cluster: 'devnet', slotMs: 100, finalizedSlots: 4 })
  ;[feePayer, authorizer] = await Promise.all([signerOf(newSecretKey()), signerOf(newSecretKey())])
  await chain.airdrop(feePayer.address, SOL)
  await chain.openAccount(feePayer.address)
  official = new UptoFacilitator(toFacilitatorSvmSigner(feePayer, { defaultRpcUrl: chain.url }), {
    authorizerSigner: authorizer,
    resolveCallerIdentity: () => 'merchant',
  })
})
afterAll(() => chain.stop())

/** A payload of the official client for a new payer and merchant. */
async function paying(change: { maxTimeoutSeconds?: number } = {}) {
  const [payer, merchant] = await Promise.all([signerOf(newSecretKey()), signerOf(newSecretKey())])
  await chain.mintTo(payer.address, 1_000_000n)
  await chain.openAccount(merchant.address)
  const requirements = {
    scheme: 'upto',
    network: chain.network,
    asset: chain.mint,
    amount: String(MAXIMUM),
    payTo: merchant.address,
    maxTimeoutSeconds: 300,
    extra: { feePayer: feePayer.address, receiverAuthorizer: authorizer.address, withdrawDelay: DELAY },
    ...change,
  }
  const { payload } = await new UptoClient(payer, { rpcUrl: chain.url }).createPaymentPayload(2, requirements)
  const settle = (type: 'deposit' | 'claim', amount: bigint) =>
    official.settle(
      { x402Version: 2, payload: { ...payload, type }, accepted: requirements },
      { ...requirements, amount: String(amount) },
    )
  return { payer, merchant: merchant.address, channelId: String(payload.channelId), settle }
}

describe('the emulated program of payment channels', () => {
  test('lets the official client and facilitator open a channel, charge a part and give the rest back', async () => {
    const before = await chain.balance(feePayer.address)
    const { payer, merchant, channelId, settle } = await paying()
    expect(await settle('deposit', MAXIMUM)).toMatchObject({ success: true, amount: '100000', payer: payer.address })
    expect(await chain.tokens(payer.address)).toBe(900_000n)
    expect(await channelAt(chain, channelId)).toMatchObject({
      status: status.open,
      deposit: MAXIMUM,
      payer: payer.address,
      gracePeriod: DELAY,
    })
    expect(before - (await chain.balance(feePayer.address))).toBeGreaterThan(
      (await rentOf(chain, CHANNEL_BYTES)) + (await rentOf(chain, TOKEN_BYTES)),
    )

    expect(await settle('claim', 700n)).toMatchObject({ success: true, amount: '700', payer: payer.address })
    expect([await chain.tokens(payer.address), await chain.tokens(merchant)]).toEqual([999_300n, 700n])
    expect(await channelAt(chain, channelId)).toMatchObject({ status: status.distributed, settled: 700n, paidOut: 700n })
    // A sealed channel takes no second voucher.
    expect(await settle('claim', 900n)).toMatchObject({ success: false })
    expect(await chain.tokens(merchant)).toBe(700n)
  })

  test('gives all back for a claim of nothing, and its rent behind the window', async () => {
    const { payer, merchant, channelId, settle } = await paying()
    await settle('deposit', MAXIMUM)
    expect(await settle('claim', 0n)).toMatchObject({ success: true, amount: '0' })
    expect([await chain.tokens(payer.address), await chain.tokens(merchant)]).toEqual([1_000_000n, 0n])
    const reclaim = () =>
      callChannel(chain, feePayer, 9, [
        [channelId, 1],
        [feePayer.address, 1],
      ])
    expect(await reclaim()).toBe(2_414)
    await chain.advance(1_501)
    const before = await chain.balance(feePayer.address)
    expect(await reclaim()).toBeNull()
    expect(await channelAt(chain, channelId)).toBeNull()
    expect((await chain.balance(feePayer.address)) - before).toBe((await rentOf(chain, CHANNEL_BYTES)) - 5_000n)
  })

  test('takes nothing but the fee from a transaction with a call that fails', async () => {
    const { payer, channelId, settle } = await paying()
    await settle('deposit', MAXIMUM)
    await chain.airdrop(payer.address, SOL)
    // The payer cannot seal at once what it wants to close.
    const close = await callChannel(chain, payer, 5, [
      [payer.address, 2],
      [channelId, 1],
    ])
    expect(close).toBeNull()
    expect(await channelAt(chain, channelId)).toMatchObject({ status: status.closing })
    const before = await chain.balance(payer.address)
    expect(await callChannel(chain, payer, 6, [[channelId, 1]])).toBe(2_414)
    expect(before - (await chain.balance(payer.address))).toBe(5_000n)
    expect(await channelAt(chain, channelId)).toMatchObject({ status: status.closing })
    // A stranger cannot close it.
    const stranger = await callChannel(chain, feePayer, 5, [
      [feePayer.address, 2],
      [channelId, 1],
    ])
    expect(stranger).toBe(2_000)
  })
})
