import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain } from '../../devnet/chain'
import { patience, tries } from '../../test/money/fuzz/runs'
import { anonymousClient } from '../../test/money/fuzz/service'
import { strangeBody } from '../../test/money/fuzz/strange-body'
import { changed, mixedBody } from '../../test/support/payloads/bodies'
import { signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import { type SvmHarness, startSvmHarness } from '../../test/support/svm/harness'

const listed = {
  bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: { city: 'x' } } }, schema: { properties: {} } },
}
const UNLIMITED = { rps: 10_000, settlementQuota: 1_000_000_000, verificationQuota: 1_000_000_000, plan: 'scale' } as const

let evm: Harness
let svm: SvmHarness
beforeAll(async () => {
  const env: Record<string, string> = { KYT: 'off' }
  const rpcUrl = ({ url }: Chain) => {
    env.BASE_SEPOLIA_FLASH_RPC_URL = url
    return url
  }
  ;[evm, svm] = await Promise.all([startHarness({ production: true, env, rpcUrl }), startSvmHarness()])
})
afterAll(() => Promise.all([evm.close(), svm.close()]))

/** Names as callers choose them for a request and its repetitions. */
const name = fc.option(fc.oneof(fc.constantFrom('one', ' ', 'a b', 'é', '"'.repeat(256)), fc.string({ maxLength: 300 })), {
  nil: null,
})
const headersOf = (key: string | null) => (key === null || !isHeader(key) ? {} : { 'idempotency-key': key })
const isHeader = (text: string) => !/[^\t\x20-\x7e\xa0-\xff]/.test(text)

/** Something to try in rounds, because what it is tried with is used up or grows old. */
async function inRounds(count: number, round: () => Promise<void>): Promise<void> {
  for (let done = 0; done < tries(count).numRuns; done++) await round()
}

describe('POST verify and settle answer any payment by the documented schema', () => {
  test(
    'on EVM, below every prefix',
    async () => {
      const ask = anonymousClient(evm.app)
      const { key } = await newMerchant(evm.app, UNLIMITED)
      const payer = await evm.payer(10n ** 12n)
      const prefix = fc.constantFrom('/sandbox', `/v1/${key}`, `/v1/${key}/flash`)
      const seen = new Set<number>()
      await inRounds(3, async () => {
        const [first, second, third, fourth] = await Promise.all([signed(payer), signed(payer), signed(payer), signed(payer)])
        const mixed = { ...v1Body(first), paymentRequirements: mixedBody(first).paymentRequirements }
        const bodies = [mixed, v1Body(second), v2Body(third), changed(v2Body(fourth), 'paymentPayload.extensions', listed)]
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...bodies).chain(strangeBody), prefix, name, async (body, at, name) => {
            const verified = await ask({ method: 'POST', path: `${at}/verify`, body })
            const settled = await ask({ method: 'POST', path: `${at}/settle`, body, headers: headersOf(name) })
            for (const { status } of [verified, settled]) seen.add(status)
          }),
          { numRuns: 100 },
        )
      })
      expect([...seen]).toEqual(expect.arrayContaining([200, 400]))
    },
    patience(60),
  )

  test(
    'on Solana',
    async () => {
      const ask = anonymousClient(svm.app)
      const payer = await svm.payer(10n ** 12n)
      const seen = new Set<number>()
      await inRounds(3, async () => {
        const purchases = await Promise.all([svm.purchase({ payer }), svm.purchase({ payer }), svm.purchase({ payer })])
        const bodies = purchases.flatMap(({ body, v1Body }) => [body, v1Body])
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...bodies).chain(strangeBody), name, async (body, name) => {
            const verified = await ask({ method: 'POST', path: '/sandbox/verify', body })
            const settled = await ask({ method: 'POST', path: '/sandbox/settle', body, headers: headersOf(name) })
            for (const { status } of [verified, settled]) seen.add(status)
          }),
          { numRuns: 100 },
        )
      })
      expect([...seen]).toEqual(expect.arrayContaining([200, 400]))
    },
    patience(60),
  )
})
