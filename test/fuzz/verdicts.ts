import type { x402Facilitator } from '@x402/core/facilitator'
import type { Endpoint } from '../surface'

type Json = Record<string, unknown>

/**
 * What a facilitator says of a payment, in a word: `valid`, the reason for which it is not, `throws` where the official one has no
 * answer, `a sentence` where its reason is a node's message, or the status of a refusal with its reason.
 */
export type Verdict = string

/** What our verify says. */
export async function verified({ verify }: Pick<Endpoint, 'verify'>, body: Json): Promise<Verdict> {
  const { status, body: said } = await verify(body)
  const { isValid, invalidReason } = Object(said)
  return status === 200 ? (isValid ? 'valid' : String(invalidReason)) : `${status} ${invalidReason}`
}

/** What our settle says: a success is `valid`. */
export async function settled({ settle }: Pick<Endpoint, 'settle'>, body: Json): Promise<Verdict> {
  const { status, body: said } = await settle(body)
  const { success, errorReason } = Object(said)
  return status === 200 ? (success ? 'valid' : String(errorReason)) : `${status} ${errorReason}`
}

/** What the official facilitator's verify says. */
export async function officiallyVerified(facilitator: x402Facilitator, body: Json): Promise<Verdict> {
  try {
    const { isValid, invalidReason = '' } = await facilitator.verify(...asOfficial(body))
    return isValid ? 'valid' : wordOf(invalidReason)
  } catch {
    return 'throws'
  }
}

/** What the official facilitator's settle says: a success is `valid`. */
export async function officiallySettled(facilitator: x402Facilitator, body: Json): Promise<Verdict> {
  try {
    const { success, errorReason = '' } = await facilitator.settle(...asOfficial(body))
    return success ? 'valid' : wordOf(errorReason)
  } catch {
    return 'throws'
  }
}

// Its explanations begin after a colon, and some of its reasons are nothing else.
function wordOf(reason: string): Verdict {
  const [word = ''] = reason.split(':')
  return word.includes(' ') ? 'a sentence' : word
}

type OfficialArguments = Parameters<x402Facilitator['verify']>

// As its clients send them, but for what is asked about.
function asOfficial({ paymentPayload, paymentRequirements }: Json): OfficialArguments {
  return [paymentPayload, paymentRequirements] as unknown as OfficialArguments
}

/** The name of a network in version 1, of which the official types know nothing. */
export const asV1Network = (name: string) => name as `${string}:${string}`
