import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encode, onBase, solanaBody } from '../../../test/support/payloads/bodies'
import { requirements } from '../../../test/support/payloads/payments'
import { type JsonSchema, namedSchemas, nameIn, resolved } from '../../http/openapi/json-schema'
import { networkRow } from '../../x402/networks/networks'
import { parsePayment, parseRequest } from '../../x402/parse'
import { BATCH_SETTLEMENT } from '../../x402/schemes/batch-settlement/scheme'
import { USUAL_SCHEME } from '../../x402/schemes/scheme-names'
import { paymentRequest } from './request'

type Json = Record<string, unknown>

const schemas = namedSchemas()

/** What a field holds where its schema is only a text. */
const TEXTS: Record<string, fc.Arbitrary<string>> = {
  Address: fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  Amount: fc.bigInt(0n, 2n ** 256n - 1n).map(String),
  ChannelAmount: fc.bigInt(0n, 2n ** 128n - 1n).map(String),
  ResourceUrl: fc.webUrl(),
}
const digits = fc.bigInt(0n, 2n ** 64n).map(String)

/** The parser refuses this key, whose name a schema cannot exclude. */
const isParsed = (value: unknown) => !JSON.stringify(value).includes('__proto__')

/** Values of a schema, with any of the fields that may be left out. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const known = TEXTS[nameIn(schema) ?? '']
  if (known) return known
  const {
    type,
    const: only,
    enum: all,
    oneOf,
    anyOf,
    items,
    minimum,
    maximum,
    properties,
    required,
    pattern,
    minLength,
    maxLength = 30,
  } = resolved(schema, schemas)
  const choices = oneOf ?? anyOf
  if (only !== undefined) return fc.constant(only)
  if (all) return fc.constantFrom(...all)
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice as JsonSchema)))
  if (type === 'integer') return fc.integer({ min: Math.max(0, minimum ?? 0), max: Math.min(maximum ?? 2 ** 31, 2 ** 31) })
  if (type === 'string' && pattern) return fc.stringMatching(new RegExp(pattern))
  if (type === 'array') return fc.array(valuesOf(items as JsonSchema), { maxLength: 3 })
  if (type === 'string')
    return fc.oneof(fc.string({ minLength: minLength ?? 0, maxLength: 30 }), fc.constant('x'.repeat(maxLength)))
  if (!properties) return fc.dictionary(fc.string(), fc.jsonValue()).filter(isParsed)
  const fields = Object.entries(properties).map(([name, field]) => {
    return [name, /^valid(After|Before)$/.test(name) ? digits : valuesOf(field as JsonSchema)] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: required ?? [] })
}

const evm = requirements()
const places = {
  'eip155:84532': { asset: evm.asset, payTo: evm.payTo },
  'eip155:8453': { asset: onBase.asset, payTo: evm.payTo },
}

/** The body on a network: the schema cannot tell that its scheme and payload, network, token and recipient belong together. */
function placed(body: Json, network: keyof typeof places, spelling: string): Json {
  const on = (asked: unknown) => ({ ...Object(asked), scheme: USUAL_SCHEME, network: spelling, ...places[network] })
  const { paymentPayload, paymentRequirements } = body
  const payload = Object(paymentPayload)
  const accepted = payload.accepted ? { accepted: on(payload.accepted) } : { network: spelling }
  return { ...body, paymentPayload: { ...payload, ...accepted }, paymentRequirements: on(paymentRequirements) }
}

const isEvm = (body: Json) => 'authorization' in Object(Object(body.paymentPayload).payload)

test('every body of the published forms is read', () => {
  const named = (name: string) => valuesOf({ $ref: `#/components/schemas/${name}` }).map((value) => Object(value) as Json)
  const forms = fc.oneof(named('PaymentRequestV1'), named('PaymentRequestV2')).filter(isEvm)
  const place = fc.constantFrom<keyof typeof places>('eip155:84532', 'eip155:8453')
  fc.assert(
    fc.property(forms, place, fc.boolean(), (form, network, asHeader) => {
      const body = placed(form, network, form.x402Version === 1 ? networkRow(network).name : network)
      const sent = asHeader ? { ...body, paymentPayload: encode(body.paymentPayload) } : body
      expect(paymentRequest.safeParse(sent).error).toBeUndefined()
      expect(parsePayment(sent)).toMatchObject({ network, x402Version: form.x402Version, transfer: { kind: 'eip3009' } })
    }),
  )
})

const CHANNEL_PAYLOADS = [
  'ChannelDepositPayload',
  'ChannelVoucherPayload',
  'ChannelRefundPayload',
  'ChannelClaimPayload',
  'ChannelSettlePayload',
]

test.each(CHANNEL_PAYLOADS)('so is every %s about a channel', (name) => {
  const network = 'eip155:84532'
  const asked = { scheme: BATCH_SETTLEMENT, network, ...places[network], amount: '0', maxTimeoutSeconds: 0, extra: {} }
  fc.assert(
    fc.property(valuesOf({ $ref: `#/components/schemas/${name}` }), (payload) => {
      const sent = {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted: asked, payload },
        paymentRequirements: asked,
      }
      expect(paymentRequest.safeParse(sent).error).toBeUndefined()
      const read = parseRequest(sent)
      const kind = 'channel' in read ? read.channel.payload.type : read.payment.transfer.kind
      expect(kind).toContain(name === 'ChannelDepositPayload' ? 'batch-' : Object(payload).type)
    }),
  )
})

test('so is one of Solana', () => {
  const body = solanaBody()
  expect(paymentRequest.safeParse(body).error).toBeUndefined()
  expect(parsePayment(body)).toMatchObject({ transfer: { kind: 'svm' } })
})
