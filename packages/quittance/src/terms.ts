import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Settlement } from './answers'
import { fieldOf } from './payment-key'

/**
 * Whether a settlement paid what is asked: the payee, the amount, the token, the resource where both name one, and the network where both
 * have its CAIP-2 id.
 */
export function fits(settlement: Settlement, payload: PaymentPayload, requirements: PaymentRequirements): boolean {
  const asset = settlement.receipt === null ? null : fieldOf(claimsOf(settlement.receipt), 'asset')
  const asked = resourceOf(payload, requirements)
  return (
    isSame(settlement.pay_to, requirements.payTo) &&
    isEnough(settlement.amount, requirements) &&
    (asked === '' || settlement.resource === '' || settlement.resource === asked) &&
    (asset === null || (typeof asset === 'string' && isSame(asset, requirements.asset))) &&
    (!requirements.network.includes(':') || settlement.network === requirements.network)
  )
}

/** The URL of the resource, as the facilitator reads it. Version 2 has it in the payload; empty if none is named. */
function resourceOf(payload: PaymentPayload, requirements: PaymentRequirements): string {
  const named = [requirements, payload].map((from) => fieldOf(from, 'resource'))
  const urls = named.map((resource) => (typeof resource === 'string' ? resource : fieldOf(resource, 'url')))
  return urls.find((url): url is string => typeof url === 'string' && url !== '') ?? ''
}

/** The amount that terms ask for. Version 1 names it in another way. */
export function amountOf(requirements: PaymentRequirements): unknown {
  return fieldOf(requirements, 'amount') ?? fieldOf(requirements, 'maxAmountRequired')
}

/** A metered payment takes at most the amount that was signed; any other takes it all. */
function isEnough(paid: string, requirements: PaymentRequirements): boolean {
  const asked = amountOf(requirements)
  if (typeof asked !== 'string' || !/^\d+$/.test(asked) || !/^\d+$/.test(paid)) return false
  return requirements.scheme === 'upto' ? BigInt(paid) <= BigInt(asked) : BigInt(paid) === BigInt(asked)
}

/** EVM addresses are hex in any letter case; those of Solana are exact. */
function isSame(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}

/** The claims of a receipt that came straight from the facilitator: their signature is not checked. */
function claimsOf(receipt: string): unknown {
  try {
    return JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
  } catch {
    return null
  }
}
