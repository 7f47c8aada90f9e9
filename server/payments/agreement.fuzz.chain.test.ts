import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { anyEvmPayment, anySvmPayment } from '../../test/money/fuzz/any-payment'
import { patience } from '../../test/money/fuzz/runs'
import { settleOnly } from '../../test/money/fuzz/settle-only'
import { settled, type Verdict, verified } from '../../test/money/fuzz/verdicts'
import { createForge } from '../../test/support/payloads/forge'
import { newClient } from '../../test/support/service/surface'
import type { App } from '../app'

type Json = Record<string, unknown>

/** Fails where the two say different things of one payment, now or when both are asked again. */
async function agreed(app: App, body: Json): Promise<Verdict> {
  const client = newClient(app)
  const both = async () => [await verified(client, body), await settled(client, body)]
  const [first, then] = await both()
  expect(then).toBe(first)
  expect(settleOnly).not.toHaveProperty([String(first)])
  // What has landed is known to both, to settle as a refusal.
  expect(await both()).toEqual(first === 'valid' ? ['duplicate_settlement', '409 duplicate_settlement'] : [first, first])
  return String(first)
}

describe('on EVM verify and settle say the same', () => {
  const any = anyEvmPayment()

  test.each([0n, 999n])('of a payer with %i of the 1000 atomic units', async (balance) => {
    const payTo = privateKeyToAccount(generatePrivateKey()).address
    const { body } = await createForge(any.harness).paying(payTo, { balance })
    expect(await agreed(any.harness.app, body)).toBe('invalid_exact_evm_insufficient_balance')
  })

  test(
    'of any payment',
    async () => {
      const said = await any.saidOf((body) => agreed(any.harness.app, body), 60)
      expect(said).toContain('valid')
      // Fewer come once in 200,000 runs of thirty payments.
      expect(said.size).toBeGreaterThan(5)
    },
    patience(60),
  )
})

describe('on Solana verify and settle say the same', () => {
  const any = anySvmPayment()

  test(
    'of any payment',
    async () => {
      const said = await any.saidOf((body) => agreed(any.harness.app, body), 60)
      expect(said).toContain('valid')
      expect(said.size).toBeGreaterThan(5)
    },
    patience(60),
  )
})
