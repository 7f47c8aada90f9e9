import { type Address, encodeFunctionData, type Hex, type LocalAccount, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import { type ChannelConfig, createChannelForge, signClaims } from '../../../test/support/batch-settlement/channels'
import { fixture } from '../../../test/support/fixture'
import { startHarness } from '../../../test/support/service/harness'
import { newClient, newMerchant } from '../../../test/support/service/surface'
import { until } from '../../../test/support/until'

const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: 'the-secret-of-the-channels-of-these-tests' } }),
)
const P = 'invalid_batch_settlement_evm_'
const { abi } = artifact('BatchSettlement')

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** A merchant whose authorizer is kept by the service, or is at this address and signs with this key. */
async function newSeller(own?: LocalAccount, at: Address | undefined = own?.address) {
  const merchant = await newMerchant(harness.app)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  const authorizer: Address = at ?? kept?.address ?? '0x'
  const receiver = newAccount().address
  return { ...merchant, receiver, authorizer, forge: createChannelForge(harness.chain, receiver, authorizer, own) }
}
type Seller = Awaited<ReturnType<typeof newSeller>>

/** A channel with a deposit. */
async function opened({ v1, forge }: Seller, config: Partial<ChannelConfig> = {}) {
  const who = await forge.payer()
  const made = await forge.deposit(who, { config })
  expect((await v1.settle(made.body)).body).toMatchObject({ success: true })
  return { ...who, ...made }
}

const claimedOf = async (channelId: Hex): Promise<bigint> => {
  const state = await harness.chain.client.readContract({
    address: batchSettlementAddress,
    abi,
    functionName: 'channels',
    args: [channelId],
  })
  return Array.isArray(state) ? BigInt(state[1]) : 0n
}

const hashOf = (body: unknown): Hex => Object(body).transaction
const gasLimitOf = async (hash: Hex) => (await harness.chain.client.getTransaction({ hash })).gas

/** As many channels that nobody opened, whose payers' code would decide. */
const unopened = async ({ forge }: Seller, count: number) => {
  const payer = newAccount()
  const config = forge.configOf({ from: payer.address, owner: payer }, { payerAuthorizer: zeroAddress })
  return Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      ...(await forge.row({ ...config, salt: `0x${at.toString(16).padStart(64, '0')}` }, payer, 0n)),
      signature: '0x' as const,
    })),
  )
}

/** Code of a wallet that approves everything where this instruction pushes 0, and nothing elsewhere. */
const approvingWhere = (instruction: 'ORIGIN' | 'GASPRICE'): Hex =>
  `0x${instruction === 'ORIGIN' ? '32' : '3a'}1560095760205ff35b631626ba7e60e01b5f5260205ff3`

/** Code of a wallet that approves everything for about 225,000 gas: it grows its memory. */
const HUNGRY: Hex = '0x6204e2005150631626ba7e60e01b5f5260205ff3'

const placeCode = (address: Address, bytecode: Hex) => harness.chain.client.setCode({ address, bytecode })

describe('the gas of an act', () => {
  test('is never above what one transaction may take: such a claim is refused and nothing is signed', async () => {
    const own = newAccount()
    const seller = await newSeller(own)
    const { config, owner, channelId } = await opened(seller)
    const rows = [await seller.forge.row(config, owner, 10n), ...(await unopened(seller, 60))]
    const { body } = await newClient(harness.app).settle(seller.forge.claims(rows, await signClaims(84532, own, rows)))
    expect(body).toMatchObject({
      errorReason: `${P}claim_simulation_failed`,
      errorMessage: expect.stringContaining('more gas than one transaction may'),
    })
    expect(await claimedOf(channelId)).toBe(0n)
  })

  test('is none for rows that were claimed before, or that nobody opened', async () => {
    const seller = await newSeller()
    const [one, other] = [await opened(seller), await opened(seller)]
    const row = await seller.forge.row(one.config, one.owner, 10n)
    expect((await seller.v1.settle(seller.forge.claims([row]))).body).toMatchObject({ success: true })
    const more = await seller.forge.row(other.config, other.owner, 20n)
    const { body } = await seller.v1.settle(seller.forge.claims([row, more, ...(await unopened(seller, 60))]))
    expect(body).toMatchObject({ success: true, amount: '20' })
    expect(await gasLimitOf(hashOf(body))).toBeLessThan(150_000n)
  })

  test('is what the act is tried with: an authorizer whose code takes more is refused before anything is sent', async () => {
    const own = newAccount()
    const [at, hungry] = [newAccount().address, newAccount().address]
    const sellers = [await newSeller(own, at), await newSeller(own, hungry)]
    const claims = await Promise.all(
      sellers.map(async (seller) => {
        const { config, owner } = await opened(seller)
        const rows = [await seller.forge.row(config, owner, 10n)]
        return seller.forge.claims(rows, await signClaims(84532, own, rows))
      }),
    )
    await placeCode(at, approvingWhere('ORIGIN').replace('3215', '5f15') as Hex)
    await placeCode(hungry, HUNGRY)
    const answers = await Promise.all(claims.map(async (body, index) => (await sellers[index]?.v1.settle(body))?.body))
    expect(answers).toMatchObject([{ success: true }, { success: false, errorReason: `${P}claim_simulation_failed` }])
  })

  test('is not spent on signatures longer than those of any wallet', async () => {
    const own = newAccount()
    const [seller, signing] = [await newSeller(), await newSeller(own)]
    const long: Hex = `0x${'00'.repeat(2_049)}`
    const [{ config, owner, channelId }, other] = [await opened(seller), await opened(signing)]
    const good = await seller.forge.row(config, owner, 10n)
    const { body } = await seller.v1.settle(
      seller.forge.claims([good, ...(await unopened(seller, 1)).map((one) => ({ ...one, signature: long }))]),
    )
    const error = 'invalid_batch_settlement_evm_claim_simulation_failed'
    expect(body).toMatchObject({ success: true, amount: '10', extra: { leftOut: [{ error }] } })
    const row = await signing.forge.row(other.config, other.owner, 10n)
    expect((await signing.v1.settle(signing.forge.claims([row], long))).body).toMatchObject({ success: false })
    expect(await claimedOf(channelId)).toBe(10n)
  })
})

/** A channel whose payer's code decides, once it has some. */
async function openedByCode(seller: Seller, bytecode: Hex) {
  const channel = await opened(seller, { payerAuthorizer: zeroAddress })
  await placeCode(channel.from, bytecode)
  return channel
}

const settlements = (seller: Seller, kind: string) =>
  harness.app.db.settlement.findMany({ where: { tenantId: seller.tenantId, kind }, orderBy: { createdAt: 'asc' } })

describe('a wallet whose code decides', () => {
  test('holds up no other claim when it approves only where nobody sends', async () => {
    const seller = await newSeller()
    const [good, hostile] = [await opened(seller), await openedByCode(seller, approvingWhere('ORIGIN'))]
    const rows = [
      await seller.forge.row(good.config, good.owner, 10n),
      await seller.forge.row(hostile.config, hostile.owner, 10n),
    ]
    expect((await seller.v1.settle(seller.forge.claims(rows))).body).toMatchObject({
      success: true,
      amount: '10',
      extra: { leftOut: [{ channelId: hostile.channelId, error: 'InvalidSignature' }] },
    })
    expect(await settlements(seller, 'claim')).toHaveLength(1)
  })

  test('reverts its own claims alone, is left out after three of them, and never pauses the merchant', async () => {
    const seller = await newSeller()
    const hostile = await openedByCode(seller, approvingWhere('GASPRICE'))
    const rows = [await seller.forge.row(hostile.config, hostile.owner, 10n)]
    for (const times of [1, 2, 3, 4]) {
      const good = await opened(seller)
      rows.push(await seller.forge.row(good.config, good.owner, 10n))
      await seller.v1.settle(seller.forge.claims(rows))
      expect(await claimedOf(good.channelId)).toBe(10n)
      const reverted = async () => (await settlements(seller, 'claim')).filter(({ state }) => state === 'UNPAID').length
      await until(async () => (await reverted()) === Math.min(times, 3), 'the claim of the hostile wallet to fail', 30_000)
    }
    expect(await claimedOf(hostile.channelId)).toBe(0n)
    const payer = seller.authorizer.toLowerCase()
    expect(await harness.app.db.payerFailure.count({ where: { payer } })).toBe(0)
  })
})

/** Sends a call of the contract by an account, with a fee above ours. */
async function callAs(account: LocalAccount, functionName: string, args: unknown[]): Promise<Hex> {
  const { client, fund } = harness.chain
  await fund(account.address, 10n ** 18n)
  const data = encodeFunctionData({ abi, functionName, args })
  const fees = { gas: 400_000n, maxPriorityFeePerGas: 10n ** 11n, maxFeePerGas: 10n ** 12n }
  return client.sendTransaction({ account, chain: client.chain, to: batchSettlementAddress, data, ...fees })
}

/** Makes a call as a stranger, or as this account, ahead of ours in the next block, once ours is on its way. */
async function frontRun(
  functionName: string,
  args: unknown[],
  ours: () => Promise<unknown>,
  account: LocalAccount = newAccount(),
) {
  const { client } = harness.chain
  await client.setIntervalMining({ interval: 0 })
  try {
    const answer = ours()
    await until(async () => (await client.getTxpoolStatus()).pending > 0, 'our transaction to be sent', 10_000)
    const hash = await callAs(account, functionName, args)
    await client.setIntervalMining({ interval: 1 })
    return { hash, body: Object(await answer).body }
  } finally {
    await client.setIntervalMining({ interval: 1 })
  }
}

test('an act that a stranger did first is done: a claim with nothing more, a payment by the name of the transaction that made it', async () => {
  const own = newAccount()
  const seller = await newSeller(own)
  const { config, owner, channelId } = await opened(seller)
  const rows = [await seller.forge.row(config, owner, 10n)]
  const signature = await signClaims(84532, own, rows)
  const claim = await frontRun('claimWithSignature', [rows, signature], () =>
    seller.v1.settle(seller.forge.claims(rows, signature)),
  )
  expect(claim.body).toMatchObject({ success: true, amount: '0' })
  expect(await claimedOf(channelId)).toBe(10n)
  const sweep = await frontRun('settle', [seller.receiver, config.token], () => seller.v1.settle(seller.forge.sweep()))
  expect(sweep.body).toMatchObject({ success: true, amount: '0', transaction: sweep.hash })
  const states = async () =>
    [...(await settlements(seller, 'claim')), ...(await settlements(seller, 'sweep'))].map(({ state }) => state)
  await until(async () => (await states()).every((state) => state === 'FINAL'), 'both to be final', 30_000)
})

test('a refund that its payer withdraws first moves nothing and is no success', async () => {
  const { client } = harness.chain
  const seller = await newSeller()
  const { config, owner, from } = await opened(seller)
  await seller.v1.settle(seller.forge.claims([await seller.forge.row(config, owner, 2_000n)]))
  await client.waitForTransactionReceipt({ hash: await callAs(owner, 'initiateWithdraw', [config, 8_000n]) })
  await client.increaseTime({ seconds: 900 })
  const asked = await seller.forge.refund(config, owner, 2_000n, { amount: 8_000n })
  const { body } = await frontRun('finalizeWithdraw', [config], () => seller.v1.settle(asked), owner)
  expect(body).toMatchObject({ success: false, errorReason: `${P}refund_no_balance` })
  expect(await settlements(seller, 'refund')).toMatchObject([{ state: 'UNPAID' }])
  expect(await harness.chain.tokens(from)).toBe(1_000_000n - 2_000n)
  // Its nonce is used: the same request finds nothing to refund.
  expect((await seller.v1.settle(asked)).body).toMatchObject({ success: false, errorReason: `${P}refund_no_balance` })
})

test('a judged failure of an act costs a unit where a node was asked, and none where its form is wrong', async () => {
  const seller = await newSeller()
  const { config, owner } = await opened(seller)
  const left = async (body: Record<string, unknown>) =>
    Number((await seller.v1.settle(body)).headers.get('x-settlement-remaining'))
  const empty = await seller.forge.row({ ...config, withdrawDelay: 901 }, owner, 10n)
  const first = await left(seller.forge.claims([empty]))
  expect(await left(seller.forge.claims([empty]))).toBe(first - 1)
  expect(await left(seller.forge.sweep())).toBe(first - 2)
  expect(await left(await seller.forge.voucher(config, owner, 10n))).toBe(first - 2)
})
