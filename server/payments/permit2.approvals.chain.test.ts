import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approval, createPermit2Forge, type Permit2Forge, type Permit2Payment } from '../../test/support/permit2/permit2'
import { serveNoTokens, serveToken } from '../../test/support/permit2/tokens'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'

let harness: Harness
let forge: Permit2Forge
beforeAll(async () => {
  harness = await startHarness({ env: { SPONSORED_APPROVAL_MAX: '0.001' } })
  forge = createPermit2Forge(harness.chain)
  serveToken(await forge.usual())
})
afterAll(async () => {
  serveNoTokens()
  await harness.close()
})

const client = () => newClient(harness.app)
const paid = async ({ payer, token }: Permit2Payment) => 1_000_000n - (await harness.chain.tokens(payer, token))
/** A payment whose payer has no ether and sends its signed approval along. */
const approving = (...change: Parameters<Permit2Forge['approving']>) =>
  forge.paying({ approved: false, extensions: forge.approving(...change) })
const fundings = () => harness.app.db.slot.count({ where: { kind: 'fund' } })

describe('a payer without ether and without an approval', () => {
  test('sends its signed approval along: we pay for it, send it first, and settle', async () => {
    const payment = await approving()
    expect((await client().verify(payment.body)).body).toEqual({ isValid: true, payer: payment.payer })
    expect((await client().settle(payment.body)).body).toMatchObject({ success: true })
    expect(await paid(payment)).toBe(1_000n)
    expect(await fundings()).toBe(1)
  })

  test('gets ether once for each payment that needs it', async () => {
    const before = await fundings()
    const payments = await Promise.all([approving(), approving()])
    const answers = await Promise.all(payments.map(({ body }) => client().settle(body)))
    expect(answers.map(({ body }) => Object(body).success)).toEqual([true, true])
    expect((await fundings()) - before).toBe(2)
  })

  test('gets the price of its bytes on the L1 too, twice, where the network has an oracle for it', async () => {
    const { chain, app } = harness
    const oracle = '0x420000000000000000000000000000000000000f'
    const price = 10n ** 12n
    // Returns the price for any call.
    const code: `0x${string}` = `0x7f${price.toString(16).padStart(64, '0')}60005260206000f3`
    await chain.client.setCode({ address: oracle, bytecode: code })
    try {
      expect((await client().settle((await approving()).body)).body).toMatchObject({ success: true })
    } finally {
      await chain.client.setCode({ address: oracle, bytecode: '0x' })
    }
    const { hash } = await app.db.attempt.findFirstOrThrow({ where: { slot: { kind: 'fund' } }, orderBy: { createdAt: 'desc' } })
    const { value } = await chain.client.getTransaction({ hash: `0x${hash.slice(2)}` })
    expect(value).toBe(70_000n * 1_000_000_000n + 2n * price)
  })

  test("costs its merchant's budget what was sent", async () => {
    const spent = async () =>
      (await harness.app.db.sponsorSpend.findMany()).reduce((sum, one) => sum + BigInt(one.spent.toFixed(0)), 0n)
    const before = await spent()
    expect((await client().settle((await approving()).body)).body).toMatchObject({ success: true })
    expect((await spent()) - before).toBeGreaterThan(70_000n * 1_000_000_000n)
  })

  test('hears what is wrong with its approval before anything is sent', async () => {
    const before = await fundings()
    const stranger = privateKeyToAccount(generatePrivateKey())
    const verdicts = await Promise.all(
      [
        await approving({ nonce: 1 }),
        await approving({ gas: 30_000n }),
        await approving({ gas: 90_000_000n }),
        await approving({ signer: stranger }),
        await approving({ data: approval(stranger.address) }),
        await approving({ highS: true }),
        await approving({ data: `${approval()}${'00'.repeat(1_000)}` }),
      ].map(async ({ body }) => Object((await client().verify(body)).body).invalidReason),
    )
    expect(verdicts).toEqual([
      'erc20_approval_tx_failed',
      'erc20_approval_tx_failed',
      'erc20_approval_tx_failed',
      'erc20_approval_tx_signer_mismatch',
      'erc20_approval_tx_wrong_spender',
      'erc20_approval_tx_invalid_signature',
      'erc20_approval_tx_invalid_calldata',
    ])
    expect(await fundings()).toBe(before)
  })
})

test('a payer that approved meanwhile is settled without its approval', async () => {
  const before = await fundings()
  const payment = await forge.paying({ extensions: forge.approving() })
  expect((await client().settle(payment.body)).body).toMatchObject({ success: true })
  expect(await paid(payment)).toBe(1_000n)
  expect(await fundings()).toBe(before)
})
