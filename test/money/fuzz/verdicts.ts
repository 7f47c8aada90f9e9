import type { x402Facilitator } from '@x402/core/facilitator'
import type { Endpoint } from '../../support/service/surface'

type Json = Record<string, unknown>

/**
 * A facilitator's verdict on a payment: `valid`, a reason, `throws` where the official one throws,
 * `a sentence` where its reason is a node's message, or the status of a refusal with its reason.
 */
export type Verdict = string

/** Our verify's verdict. */
export async function verified({ verify }: Pick<Endpoint, 'verify'>, body: Json): Promise<Verdict> {
  const { status, body: said } = await verify(body)
  const { isValid, invalidReason } = Object(said)
  return status === 200 ? (isValid ? 'valid' : String(invalidReason)) : `${status} ${invalidReason}`
}

/** Our settle's verdict; a success is `valid`. */
export async function settled({ settle }: Pick<Endpoint, 'settle'>, body: Json): Promise<Verdict> {
  const { status, body: said } = await settle(body)
  const { success, errorReason } = Object(said)
  return status === 200 ? (success ? 'valid' : String(errorReason)) : `${status} ${errorReason}`
}

/** The official verify's verdict. */
export async function officiallyVerified(facilitator: x402Facilitator, body: Json): Promise<Verdict> {
  try {
    const { isValid, invalidReason = '' } = await facilitator.verify(...asOfficial(body))
    return isValid ? 'valid' : codeOf(invalidReason)
  } catch {
    return 'throws'
  }
}

/** The official settle's verdict; a success is `valid`. */
export async function officiallySettled(facilitator: x402Facilitator, body: Json): Promise<Verdict> {
  try {
    const { success, errorReason = '' } = await facilitator.settle(...asOfficial(body))
    return success ? 'valid' : codeOf(errorReason)
  } catch {
    return 'throws'
  }
}

// A colon separates a reason from its explanation; some reasons are only an explanation.
function codeOf(reason: string): Verdict {
  const [code = ''] = reason.split(':')
  return code.includes(' ') ? 'a sentence' : code
}

type OfficialArguments = Parameters<x402Facilitator['verify']>

// The official facilitator's argument types, for bodies of any content.
function asOfficial({ paymentPayload, paymentRequirements }: Json): OfficialArguments {
  return [paymentPayload, paymentRequirements] as unknown as OfficialArguments
}

/** A version 1 network name, which the official types do not allow. */
export const asV1Network = (name: string) => name as `${string}:${string}`
