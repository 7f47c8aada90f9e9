import { type Address, encodeFunctionData, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import {
  FACTORIES,
  HOSTILE_FACTORY,
  hostileCall,
  hostileEnd,
  placeFactories,
  UNLISTED_FACTORY,
  type Undeployed,
  undeployed,
} from '../../test/support/chain/undeployed'
import { fixture } from '../../test/support/fixture'
import { PAY_TO, signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(() => startHarness({ env: FACTORIES }))
beforeAll(() => placeFactories(harness.chain))

const verdictOn = async (body: Record<string, unknown>) => Object((await newClient(harness.app).verify(body)).body).invalidReason
const settled = async (body: Record<string, unknown>) => Object((await newClient(harness.app).settle(body)).body)
const codeAt = (address: Address) => harness.chain.client.getCode({ address })
const bodyOf = async (wallet: Undeployed) => v2Body(await wallet.pay())
const signer = async () => {
  const [lane] = await harness.app.db.lane.findMany()
  return (lane?.address ?? '0x') as Address
}
const sentBy = async (address: Address) => harness.chain.client.getTransactionCount({ address })
/** The most gas of a transaction that deploys a wallet, with a call of a few words. */
const GAS_MAX = 840_000n

describe('a wallet that is not deployed yet', () => {
  test('pays through its allowed factory: one transaction deploys it and moves the money', async () => {
    const wallet = await undeployed(harness.chain)
    const body = await bodyOf(wallet)
    expect((await newClient(harness.app).verify(body)).body).toEqual({ isValid: true, payer: wallet.wallet })
    expect(await codeAt(wallet.wallet)).toBeUndefined()
    const answer = await settled(body)
    expect(answer).toMatchObject({ success: true, payer: wallet.wallet })
    const receipt = await harness.chain.client.getTransactionReceipt({ hash: answer.transaction as Hex })
    expect([receipt.to, receipt.from]).toEqual([null, await signer()])
    expect(receipt.gasUsed).toBeLessThan(GAS_MAX)
    expect(await harness.chain.tokens(wallet.wallet)).toBe(999_000n)
    expect(await codeAt(wallet.wallet)).not.toBeUndefined()
  })

  test('pays again when it is deployed, with its signature wrapped or not', async () => {
    const wallet = await undeployed(harness.chain)
    expect(await settled(await bodyOf(wallet))).toMatchObject({ success: true })
    const bodies = [await bodyOf(wallet), v2Body(await signed(wallet.owner, { from: wallet.wallet }))]
    for (const body of bodies) {
      const { success, transaction } = await settled(body)
      const { to } = await harness.chain.client.getTransaction({ hash: transaction as Hex })
      expect([success, to]).toEqual([true, harness.chain.usdc.toLowerCase()])
    }
    expect(await harness.chain.tokens(wallet.wallet)).toBe(997_000n)
  })

  test('is refused with its factory not allowed, and nothing is sent', async () => {
    const before = await sentBy(await signer())
    const wallet = await undeployed(harness.chain, { factory: UNLISTED_FACTORY })
    expect(await verdictOn(await bodyOf(wallet))).toBe('eip6492_factory_not_allowed')
    expect(await settled(await bodyOf(wallet))).toMatchObject({ success: false, errorReason: 'eip6492_factory_not_allowed' })
    expect(await sentBy(await signer())).toBe(before)
  })

  test('is judged by what comes after its deployment', async () => {
    const other = privateKeyToAccount(generatePrivateKey())
    const poor = await undeployed(harness.chain, { balance: 10n })
    const stranger = await undeployed(harness.chain)
    expect(await verdictOn(await bodyOf(poor))).toBe('invalid_exact_evm_insufficient_balance')
    expect(await verdictOn(v2Body(await stranger.pay({}, other)))).toBe('invalid_exact_evm_signature')
    expect(await verdictOn(v2Body(await stranger.pay({ to: other.address })))).toBe('invalid_exact_evm_recipient_mismatch')
    expect(await verdictOn(v2Body(await stranger.pay({ validBefore: 1n })))).toBe(
      'invalid_exact_evm_payload_authorization_valid_before',
    )
    const long = await undeployed(harness.chain, { creation: () => `0x${'00'.repeat(4_097)}` })
    expect(await verdictOn(await bodyOf(long))).toBe('invalid_exact_evm_signature')
  })

  test('is explained as verify judges it', async () => {
    const wallet = await undeployed(harness.chain, { factory: HOSTILE_FACTORY, creation: hostileEnd('createNothing') })
    const { body } = await newClient(harness.app).explain({ input: await bodyOf(wallet) })
    expect(JSON.stringify(body)).toContain('smart_wallet_deployment_failed')
    expect(JSON.stringify(body)).toContain('Its factory puts no code there.')
  })
})

describe('on a chain whose next block waits', () => {
  const slow = fixture(() => startHarness({ env: FACTORIES, blockTimeSeconds: 600 }))

  test('a wallet that is not deployed yet has one payment at a time in flight', async () => {
    await placeFactories(slow.chain)
    const wallet = await undeployed(slow.chain)
    const first = newClient(slow.app).settle(v2Body(await wallet.pay()))
    await until(async () => (await slow.app.db.attempt.count()) === 1, 'the first payment to be signed')
    const second = await newClient(slow.app).settle(v2Body(await wallet.pay()))
    expect([second.status, Object(second.body).errorReason]).toEqual([429, 'payer_queue_full'])
    await until(async () => Number((await slow.chain.client.getTxpoolStatus()).pending) === 1, 'the first payment to be sent')
    await slow.chain.mine(1)
    expect((await first).body).toMatchObject({ success: true })
    expect(await slow.chain.tokens(wallet.wallet)).toBe(999_000n)
  })
})

describe('an allowed factory that is hostile', () => {
  const wallets = (creation: (owner: Address, salt: bigint) => Hex) =>
    undeployed(harness.chain, { factory: HOSTILE_FACTORY, creation })

  test.each([
    { what: 'deploys nothing', creation: hostileEnd('createNothing') },
    { what: 'reverts', creation: hostileEnd('fail') },
    { what: 'burns its gas', creation: hostileEnd('burn') },
  ])('and $what costs nothing: smart_wallet_deployment_failed', async ({ creation }) => {
    const before = await sentBy(await signer())
    const body = await bodyOf(await wallets(creation))
    expect(await verdictOn(body)).toBe('smart_wallet_deployment_failed')
    expect(await settled(body)).toMatchObject({ success: false, errorReason: 'smart_wallet_deployment_failed', transaction: '' })
    expect(await sentBy(await signer())).toBe(before)
  })

  test.each([
    { what: 'deploys nothing', creation: hostileCall('createWhereFree') },
    { what: 'burns its gas', creation: hostileCall('burnWherePaid') },
  ])('and $what where gas is paid for costs one capped revert, and is no success', async ({ creation }) => {
    const before = await sentBy(await signer())
    const wallet = await wallets(creation)
    const body = await bodyOf(wallet)
    expect(await verdictOn(body)).toBeUndefined()
    const answer = await settled(body)
    expect(answer).toMatchObject({ success: false, errorReason: 'smart_wallet_deployment_failed' })
    const receipt = await harness.chain.client.getTransactionReceipt({ hash: answer.transaction as Hex })
    expect([receipt.status, receipt.gasUsed < GAS_MAX]).toEqual(['reverted', true])
    expect(await sentBy(await signer())).toBe(before + 1)
    expect(await harness.chain.tokens(wallet.wallet)).toBe(1_000_000n)
  })

  test('and is the token itself cannot move what is ours: no call comes from our signer', async () => {
    await harness.chain.mint(await signer(), 5_000_000n)
    const theft = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [PAY_TO, 5_000_000n] })
    const { authorization, signature } = await (await undeployed(harness.chain, { creation: () => theft })).pay()
    const asToken = `${signature.slice(0, 26)}${harness.chain.usdc.slice(2).toLowerCase()}${signature.slice(66)}` as Hex
    expect(await verdictOn(v2Body({ authorization, signature: asToken }))).toBe('smart_wallet_deployment_failed')
    expect(await harness.chain.tokens(await signer())).toBe(5_000_000n)
  })

  test('and calls others back does so without rights', async () => {
    const theft = encodeFunctionData({ abi: usdcAbi, functionName: 'transferFrom', args: [await signer(), PAY_TO, 1n] })
    await harness.chain.mint(await signer(), 1n)
    const before = await harness.chain.tokens(await signer())
    const wallet = await wallets(hostileCall('callBack', harness.chain.usdc, theft))
    expect(await settled(await bodyOf(wallet))).toMatchObject({ success: true })
    expect(await harness.chain.tokens(await signer())).toBe(before)
  })

  test('and answers at length is not read', async () => {
    const wallet = await wallets(hostileCall('answerAtLength', 30_000n))
    expect(await settled(await bodyOf(wallet))).toMatchObject({ success: true })
  })
})
