import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damaged } from '../../test/money/fuzz/damage'
import { patience, tries } from '../../test/money/fuzz/runs'
import { anonymousClient } from '../../test/money/fuzz/service'
import { fixture } from '../../test/support/fixture'
import { keepLog } from '../../test/support/log-lines'
import { changed } from '../../test/support/payloads/bodies'
import { signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

type Json = Record<string, unknown>

const { log, lines } = keepLog()
const harness = fixture(() => startHarness({ production: true, env: { KYT: 'off' }, log }))

const url = 'https://api.weather-of-today.com/today'
const resource = {
  url,
  description: 'Weather',
  mimeType: 'application/json',
  serviceName: 'Weather',
  tags: ['weather'],
  iconUrl: url,
}
const input = { type: 'http', method: 'GET', queryParams: { city: 'x' } }
const bazaar = {
  info: { input, output: { type: 'json' } },
  schema: { properties: { city: { type: 'string' } } },
  routeTemplate: '/today',
}
const extra = { name: 'USDC', version: '2', note: { a: 1 } }

const legacyBody: typeof v1Body = (payment) => v1Body(payment, { requirements: { resource: url } })

/** What a payment declares besides the money, where each stands in a body. */
const DECLARED: { body: typeof v1Body; at: string; sound: Json }[] = [
  { body: v2Body, at: 'paymentPayload.extensions', sound: { bazaar } },
  { body: v2Body, at: 'paymentPayload.resource', sound: resource },
  { body: v2Body, at: 'paymentRequirements.extra', sound: extra },
  { body: legacyBody, at: 'paymentRequirements.outputSchema', sound: { input, output: { type: 'object' } } },
]
const HERE = 'what is declared'

describe('a payment lands and is listed, or not, without an internal error', () => {
  test(
    'with any declaration',
    async () => {
      const ask = anonymousClient(harness.app)
      const { key } = await newMerchant(harness.app, { plan: 'scale', rps: 10_000, settlementQuota: 10_000_000 })
      const payer = await harness.payer(10n ** 12n)
      let landed = 0
      const settle = async ({ body, at, text }: (typeof DECLARED)[number] & { text: string }) => {
        const sound = { ...changed(body(await signed(payer)), 'paymentPayload.resource', resource) }
        const whole = JSON.stringify(changed(sound, at, HERE)).replace(JSON.stringify(HERE), () => text)
        const answer = await ask({ method: 'POST', path: `/v1/${key}/settle`, body: whole })
        if (Reflect.get(Object(answer.body), 'success') === true) landed += 1
      }
      const declared = fc
        .constantFrom(...DECLARED)
        .chain((one) => fc.record({ ...asConstants(one), text: damaged({ whole: one.sound }).map(insideOf) }))
      const many = fc.array(declared, { minLength: 20, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(many, (all) => Promise.all(all.map(settle)).then(() => {})),
        tries(5),
      )
      // Three of five land: of the sixty in half a run, more than ten in all but one of 10^9.
      expect(landed).toBeGreaterThan(10)
      await until(
        async () => (await harness.app.db.outbox.count({ where: { kind: 'catalog', doneAt: null } })) === 0,
        'all that landed to be listed',
      )
      expect(lines.filter((line) => Number(JSON.parse(line).level) >= 50 || line.includes('an effect failed'))).toEqual([])
    },
    patience(30),
  )
})

const insideOf = (text: string) => text.slice('{"whole":'.length, -1) || 'null'

function asConstants<T extends object>(of: T) {
  const entries = Object.entries(of).map(([name, value]) => [name, fc.constant(value)])
  return Object.fromEntries(entries) as { [K in keyof T]: fc.Arbitrary<T[K]> }
}
