import type { Field } from './checks'
import { amount, FIELDS_MAX, fieldsOf, objectOr, plainFields, tokenIn } from './fields'
import { acceptsIn } from './offers'
import type { Json } from './recognize'

/** The offers of each half whose fields are shown. */
const OFFERS_MAX = 4

/** The fields of the offers in one half of a 402 response. */
export function offerFields(half: 'header' | 'body', answer: Json): Field[] {
  return acceptsIn(answer)
    .slice(0, OFFERS_MAX)
    .flatMap(({ extra, outputSchema: _, ...fields }, at) => {
      const named = Object.entries({ ...fields, ...prefixed('extra', objectOr(extra)) }).map(([name, value]) => {
        const isAmount = name === 'amount' || name === 'maxAmountRequired'
        return [`${half}.accepts.${at}.${name}`, isAmount ? amount(value, tokenIn(fields)) : value] as const
      })
      return plainFields('requirements', Object.fromEntries(named.slice(0, FIELDS_MAX)))
    })
}

const prefixed = (name: string, fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).map(([inner, value]) => [`${name}.${inner}`, value]))

/** The fields that stand before the cut of a header or a body. */
export function cutFields(read: Json): Field[] {
  // Version 1 has its offers in the body.
  if (read.accepts !== undefined) return offerFields(read.x402Version === 1 ? 'body' : 'header', read)
  return fieldsOf(OF_BODY.some((name) => read[name] !== undefined) ? read : { paymentPayload: read }, null)
}

const OF_BODY = ['paymentPayload', 'paymentHeader', 'paymentRequirements'] as const
