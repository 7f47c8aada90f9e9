import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { historyOf, newClient, sentCount } from '../../test/support/service/surface'
import { type Reason, reasons } from '../x402/reasons/reasons'

// Each test changes what stands at the asset's address, so each has a chain of its own.
let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ env: { SETTLE_DEADLINE_MS: '6000' } })
})
afterEach(() => harness.close())

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

async function replaceAsset(bytecode: `0x${string}`): Promise<void> {
  await harness.chain.client.setCode({ address: harness.chain.usdc, bytecode })
}

async function codeOf(address: `0x${string}`): Promise<`0x${string}`> {
  const code = await harness.chain.client.getCode({ address })
  if (!code) throw new Error('no code')
  return code
}

describe('what stands at the address of the asset', () => {
  const cases: [string, Reason, () => Promise<`0x${string}`>][] = [
    ['nothing', 'asset_not_deployed_contract', async () => '0x'],
    ['a contract that is no token', 'invalid_exact_evm_eip3009_not_supported', () => codeOf(harness.chain.multicall)],
    ['a contract that answers anything with nothing', 'asset_not_deployed_contract', async () => '0x00'],
  ]
  test.each(cases)('%s: %s', async (_, reason, code) => {
    const payTo = newAddress()
    const payer = await harness.payer()
    const body = v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } })
    const sent = await sentCount(harness)
    await replaceAsset(await code())
    const client = newClient(harness.app)
    const said = { invalidReason: reason, invalidMessage: reasons[reason], payer: payer.address }
    expect((await client.verify(body)).body).toEqual({ isValid: false, ...said })
    expect((await client.settle(body)).body).toMatchObject({ success: false, errorReason: reason, transaction: '' })
    expect(await historyOf(harness, payTo)).toMatchObject([
      { success: false, errorReason: reason, payer: payer.address.toLowerCase() },
    ])
    expect(await sentCount(harness)).toBe(sent)
  })

  test('a token that says yes and moves nothing is never a success', async () => {
    const payTo = newAddress()
    const body = v2Body(await signed(await harness.payer(), { to: payTo }), { requirements: { payTo } })
    await replaceAsset(await codeOf(await harness.chain.deploySilentToken()))
    const answer = await newClient(harness.app).settle(body)
    // Mined with status 1 and without its logs: neither a success nor, while it could still happen, a failure.
    expect([answer.status, answer.body]).toMatchObject([200, { success: false, errorReason: 'settlement_pending' }])
    expect(await historyOf(harness, payTo)).toEqual([])
  })
})
