import { encodeFunctionData, type Hex, multicall3Abi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { exactProxyAddress } from '../../../devnet/networks'
import { exactProxyAbi, permit2Message, signPermit2 } from '../../../devnet/permit2'
import type { SignedPermit2 } from '../../../server/x402/schemes/exact/transfers'
import { PAY_TO } from '../../support/payloads/payments'
import { approval, createPermit2Forge } from '../../support/permit2/permit2'
import { NO_OFFENCE } from '../audit'
import { type Audited, startAudited } from '../audited'
import type { Answered } from './description'

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

// Each test starts with two correct payments of one transaction and adds one violation.
let audited: Audited
let payments: SignedPermit2[]
let answered: Answered[]
beforeEach(async () => {
  audited = await startAudited(chain)
  const token = await createPermit2Forge(chain).usual()
  payments = await Promise.all([newPayment(token), newPayment(token)])
  answered = await audited.settled(payments, await together(payments))
})
afterEach(() => audited.close())

/** A payment of a new payer who has let Permit2 take its tokens. */
async function newPayment(token: Hex, payer = privateKeyToAccount(generatePrivateKey())): Promise<SignedPermit2> {
  await chain.mint(payer.address, 1_000n, token)
  await chain.fund(payer.address, 10n ** 18n)
  await chain.client.sendTransaction({ account: payer, chain: chain.client.chain, to: token, data: approval() })
  const message = permit2Message(token, PAY_TO, { amount: 1_000n })
  const { nonce, deadline, spender, witness } = message
  return {
    method: 'permit2',
    asset: token,
    proof: 'key',
    permit: null,
    approval: null,
    signature: await signPermit2(84532, payer, message),
    authorization: {
      from: payer.address,
      to: PAY_TO,
      token,
      spender,
      value: 1_000n,
      nonce,
      deadline,
      validAfter: witness.validAfter,
    },
  }
}

/** Sends these in one transaction in which none can fail the others. */
function together(all: readonly SignedPermit2[]): Promise<Hex> {
  const calls = all.map(({ authorization: { from, to, token, value, nonce, deadline, validAfter }, signature }) => ({
    target: exactProxyAddress,
    allowFailure: true,
    callData: encodeFunctionData({
      abi: exactProxyAbi,
      functionName: 'settle',
      args: [{ permitted: { token, amount: value }, nonce, deadline }, from, { to, validAfter }, signature],
    }),
  }))
  return chain.client.writeContract({
    account: privateKeyToAccount(audited.signer),
    chain: chain.client.chain,
    address: chain.multicall,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls],
  })
}

describe('the auditor of payments by Permit2', () => {
  test('finds no violation in a correct run', async () => {
    expect(await audited.audit()).toEqual(NO_OFFENCE)
  })

  test('counts a payment with two success answers', async () => {
    for (const answer of answered.slice(0, 1)) await audited.records.answered(answer)
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, double_success: 1 })
  })

  test('counts a success answer for an equal payment whose nonce was not used', async () => {
    const [first] = payments
    if (!first) throw new Error('no payment')
    const equal = { ...first, authorization: { ...first.authorization, nonce: first.authorization.nonce ^ 1n } }
    await audited.records.answered(audited.answerFor(equal, String(answered[0]?.body.transaction)))
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a success answer for a token that moved nothing', async () => {
    const silent = await newPayment(await createPermit2Forge(chain).lying('silent'))
    const hash = await together([silent])
    await audited.database.db.lane.updateMany({ data: { nextNonce: 2n } })
    await audited.records.answered(audited.answerFor(silent, hash))
    expect(await audited.audit()).toMatchObject({ success_without_transfer: 1, transfer_without_row: 0 })
  })

  test('counts a success answer for another token than the one that moved', async () => {
    const other = await newPayment(await createPermit2Forge(chain).usual())
    const hash = await together([other])
    await audited.database.db.lane.updateMany({ data: { nextNonce: 2n } })
    await audited.records.answered(audited.answerFor({ ...other, asset: chain.usdc }, hash))
    expect(await audited.audit()).toMatchObject({ success_without_transfer: 1 })
  })

  test('counts history successes of another token than the one that moved', async () => {
    await audited.database.db.settlement.updateMany({ data: { asset: chain.usdc } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 2 })
  })

  test('counts a history success with a wrong amount', async () => {
    const [payer = ''] = payments.map(({ authorization }) => authorization.from.toLowerCase())
    await audited.database.db.history.updateMany({ where: { payer }, data: { amount: 2_000 } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a transfer without a history row', async () => {
    await audited.database.db.history.deleteMany()
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, transfer_without_row: 2 })
  })
})
