import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { anyEvmPayment, anySvmPayment } from '../../test/money/fuzz/any-payment'
import { patience, tries } from '../../test/money/fuzz/runs'
import { strangeBody } from '../../test/money/fuzz/strange-body'
import { inLongRuns } from '../../test/support/long-run'
import { signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { createPermit2Forge, type Permit2Forge } from '../../test/support/permit2/permit2'
import { approvalCases, permitCases } from '../../test/support/permit2/sponsoring-verdicts'
import { serveNoTokens, serveToken } from '../../test/support/permit2/tokens'
import { paymentCases } from '../../test/support/permit2/verdicts'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import type { App } from '../app'
import { PAYMENT_BODY_LIMIT } from '../http/bodies'

type Json = Record<string, unknown>
type Said = {
  kind: string
  checks: { name: string; status: string; reason: string | null; remedy: string | null }[]
  verdict: Json
}

/** Asks both for the same body; the first failed check must be the verdict too. Returns verify's reason. */
async function agreed(app: App, body: unknown): Promise<string> {
  // A fast machine asks more often than all callers together may.
  const client = newClient({ ...app, rateLimit: async () => {} })
  const verified: Json = Object((await client.verify(body)).body)
  const { status, body: answer } = await client.explain({ input: body })
  // Both refuse a NUL: explain in its own request, which holds the body as a text.
  if (typeof body === 'string' && body.includes('\0')) {
    expect([status, verified.invalidReason]).toEqual([400, 'invalid_payload'])
    return 'unknown'
  }
  // The request to explain holds the body as a text, which its escapes make longer.
  if (Buffer.byteLength(JSON.stringify({ input: body })) > PAYMENT_BODY_LIMIT) {
    expect(status).toBe(413)
    return 'unknown'
  }
  expect(status).toBe(200)
  const { kind, checks, verdict }: Said = Object(answer)
  expect(checks.filter(({ status, remedy }) => status === 'failed' && !remedy)).toEqual([])
  if (kind !== 'payment_request') {
    expect([kind, verified.invalidReason]).toEqual(['unknown', 'invalid_payload'])
    return 'unknown'
  }
  const invalidReason = verified.isValid ? null : verified.invalidReason
  const first = checks.find((check) => check.status === 'failed')
  expect([verdict, first?.reason ?? null]).toEqual([{ isValid: verified.isValid, invalidReason }, invalidReason])
  return String(invalidReason)
}

describe('on EVM explain says what verify says', () => {
  const any = anyEvmPayment()

  inLongRuns(() => {
    test(
      'of any payment',
      async () => {
        const said = await any.saidOf((body) => agreed(any.harness.app, body), 60)
        expect(said).toContain('null')
        // Fewer come once in 200,000 runs of thirty payments.
        expect(said.size).toBeGreaterThan(5)
      },
      patience(60),
    )
  })

  test('of a body with a NUL', async () => {
    const body = JSON.stringify(v2Body(await signed(await any.harness.payer())))
    for (const torn of [`\0${body}`, `${body}\0`, body.replace('exact', 'exa\0ct')]) await agreed(any.harness.app, torn)
  })

  test(
    'of any damaged body',
    async () => {
      const payer = await any.harness.payer()
      const bodies = [v1Body(await signed(payer)), v2Body(await signed(payer))]
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...bodies).chain(strangeBody), async (body) => {
          await agreed(any.harness.app, body)
        }),
        tries(80),
      )
    },
    patience(60),
  )
})

describe('on a payment by Permit2 explain says what verify says', () => {
  let harness: Harness
  let forge: Permit2Forge
  beforeAll(async () => {
    harness = await startHarness({ env: { SPONSORED_APPROVAL_MAX: '0.001' } })
    forge = createPermit2Forge(harness.chain)
  })
  afterEach(() => serveNoTokens())
  afterAll(() => harness.close())

  test.each([...paymentCases, ...permitCases, ...approvalCases])('$name', async ({ make }) => {
    const { body } = await make(forge)
    serveToken(String(Object(body.paymentRequirements).asset))
    await agreed(harness.app, body)
  })

  test.each(approvalCases)('an approval $name, where none is sent', async ({ make }) => {
    serveToken(await forge.usual())
    const { app } = harness
    await agreed({ ...app, config: { ...app.config, sponsoredApprovalMax: '0' } }, (await make(forge)).body)
  })

  test(
    'of any damaged body',
    async () => {
      serveToken(await forge.usual())
      const { body } = await forge.paying({ extensions: forge.permitting() })
      await fc.assert(
        fc.asyncProperty(strangeBody(body), async (damaged) => {
          await agreed(harness.app, damaged)
        }),
        tries(30),
      )
    },
    patience(60),
  )
})

inLongRuns(() => {
  describe('on Solana explain says what verify says', () => {
    const any = anySvmPayment()

    test(
      'of any payment',
      async () => {
        const said = await any.saidOf((body) => agreed(any.harness.app, body), 60)
        expect(said).toContain('null')
        expect(said.size).toBeGreaterThan(5)
      },
      patience(60),
    )
  })
})
