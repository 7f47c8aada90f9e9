import { isNetworkId, networkRow, readNetwork } from '../x402/networks/networks'
import { objectOr } from './fields'
import { type Json, type Offer, recognize } from './recognize'

/** The body that verify would get for a pasted payment, and a sentence about where its requirements come from. */
type Matched = { body: Json; source: string | null }

/**
 * Puts a payment together with the requirements that it answers: those that were pasted beside it, else what its client accepted
 * (version 2), else what its authorization itself says (version 1 on EVM). `source` is null where none could be found.
 */
export function matched(payload: Json, pasted: Offer, given: unknown): Matched {
  const offers = [...offersIn(given), ...offersOf(pasted)]
  const chosen = offers.toSorted((one, other) => likeness(payload, other) - likeness(payload, one))[0]
  const of = (paymentRequirements: Json, source: string): Matched => ({
    body: { x402Version: payload.x402Version ?? undefined, paymentPayload: payload, paymentRequirements },
    source,
  })
  if (chosen)
    return of(chosen, offers.length === 1 ? 'the pasted requirements' : `the most similar of ${offers.length} pasted offers`)
  const accepted = objectOr(payload.accepted)
  if (accepted.payTo !== undefined) return of(accepted, 'The payment is judged by the requirements that its client accepted.')
  const own = ownTerms(payload)
  return own ? of(own, OWN_TERMS) : { body: { paymentPayload: payload }, source: null }
}

/** The requirements in what was pasted as such: one object, a list, a 402 response, or any of them as a text. */
export function offersIn(given: unknown): Json[] {
  if (given === undefined || given === null) return []
  if (Array.isArray(given)) return given.map(objectOr)
  const pasted = recognize(given)
  if (pasted.kind === 'payment_required') return offersOf(pasted.offer)
  if (pasted.kind === 'payment_requirements') return [pasted.requirements]
  return typeof given === 'string' ? [] : [objectOr(given)]
}

function offersOf({ header, body }: Offer): Json[] {
  return [header, body].flatMap((answer) => (Array.isArray(answer?.accepts) ? answer.accepts.map(objectOr) : []))
}

/** How well an offer fits a payment: the network counts most, then the scheme, then the other terms. */
function likeness(payload: Json, offer: Json): number {
  const accepted = objectOr(payload.accepted)
  const { to, value } = objectOr(objectOr(payload.payload).authorization)
  const terms: [weight: number, one: unknown, other: unknown][] = [
    [16, networkOf(accepted.network ?? payload.network), networkOf(offer.network)],
    [8, accepted.scheme ?? payload.scheme, offer.scheme],
    [4, accepted.asset, offer.asset],
    [2, to ?? accepted.payTo, offer.payTo],
    [1, value ?? accepted.amount, offer.amount ?? offer.maxAmountRequired],
  ]
  return terms.reduce((sum, [weight, one, other]) => {
    return one !== undefined && normal(one) === normal(other) ? sum + weight : sum
  }, 0)
}

const OWN_TERMS = 'No requirements were pasted, so the terms are those of the payment itself and cannot differ from it.'

// Such requirements cannot differ from the payment, but its signature, times and balance can be judged.
function ownTerms({ scheme, network: written, payload }: Json): Json | null {
  const { to, value } = objectOr(objectOr(payload).authorization)
  const network = networkOf(written)
  const row = typeof network === 'string' && isNetworkId(network) ? networkRow(network) : null
  if (row?.family !== 'evm' || to === undefined || value === undefined) return null
  return {
    scheme,
    network: written,
    maxAmountRequired: value,
    payTo: to,
    asset: row.assets[0].address,
    extra: row.assets[0].domain,
  }
}

const normal = (value: unknown) => String(value).toLowerCase()

function networkOf(written: unknown): unknown {
  const network = typeof written === 'string' ? readNetwork(written) : null
  return network && 'known' in network ? network.known : written
}
