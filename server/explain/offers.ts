import type { App } from '../app'
import { isServiceError, type ServiceError } from '../base/errors'
import { assetIn } from '../x402/networks/assets'
import { networkRow } from '../x402/networks/networks'
import { parseTerms } from '../x402/parse'
import { termFaults } from '../x402/parse-terms'
import type { Payment } from '../x402/payment'
import { associatedAccount } from '../x402/schemes/exact/svm/associated-account'
import { type Check, failed, notReached, passed } from './checks'
import { objectOr } from './fields'
import type { CallerOf } from './judged'
import { nearNetwork } from './near-network'
import type { Json, Offer } from './recognize'
import { termChecks } from './terms'
import { titleOf } from './titles'
import { money, sentence } from './units'

/** How many offers of each half are checked, and how many token accounts of recipients are read. */
const OFFERS_MAX = 8
const ACCOUNTS_MAX = 2

type Half = 'header' | 'body'
type Answer = { half: Half; answer: Json }

/** Checks a merchant's 402 response: its shape in both versions, each of its offers, and whether the catalog would list it. */
export async function offerChecks(app: App, callerOf: CallerOf, offer: Offer): Promise<Check[]> {
  const answers = (['header', 'body'] as const).flatMap((half) => (offer[half] ? [{ half, answer: offer[half] }] : []))
  const offers = answers.flatMap(({ half, answer }) =>
    acceptsIn(answer)
      .slice(0, OFFERS_MAX)
      .map((given, at) => ({ place: `${half}.accepts.${at}`, ...readOffer(answer, given, at) })),
  )
  const onSolana = offers
    .filter((one) => 'payment' in one && networkRow(one.payment.network).family === 'svm')
    .slice(0, ACCOUNTS_MAX)
  const checks = await Promise.all(
    offers.map(async (one) => {
      const own = 'refused' in one ? [one.refused] : termChecks(app, callerOf, one.answer, one.payment)
      const account = 'payment' in one && onSolana.includes(one) ? [await accountCheck(app, one.payment)] : []
      return [...own, ...account].map((check) => placed(one.place, check))
    }),
  )
  return [...answers.flatMap(shapeChecks), ...deliveryChecks(offer), ...checks.flat()]
}

/** The offers of a 402 response. */
export const acceptsIn = ({ accepts }: Json): Json[] => (Array.isArray(accepts) ? accepts.map(objectOr) : [])

function placed(place: string, check: Check): Check {
  const name = `${place}.${check.name}`
  return { ...check, name, title: titleOf(name) }
}

function shapeChecks({ half, answer }: Answer): Check[] {
  const { x402Version, accepts, resource } = answer
  const offers = acceptsIn(answer).length
  const isVersion = x402Version === 1 || x402Version === 2
  const version = isVersion
    ? passed(`${half}.version`, `The ${half} names version ${x402Version}.`)
    : failed(`${half}.version`, 'invalid_x402_version', `x402Version in the ${half} must be 1 or 2.`)
  const list =
    Array.isArray(accepts) && offers > 0
      ? passed(
          `${half}.offers`,
          `The ${half} has ${offers} ${offers === 1 ? 'offer' : 'offers'}${offers > OFFERS_MAX ? `; the first ${OFFERS_MAX} are checked` : ''}.`,
        )
      : failed(`${half}.offers`, 'invalid_payment_requirements', `accepts in the ${half} must be a list with at least one offer.`)
  if (x402Version !== 2) return [version, list]
  const { url } = objectOr(resource)
  const named =
    typeof url === 'string' && url !== ''
      ? passed(`${half}.resource`, 'resource.url is there.')
      : failed(
          `${half}.resource`,
          null,
          'resource.url is missing.',
          'The merchant must name the paid URL in resource.url of version 2.',
        )
  return [version, list, named]
}

const SEND_HEADER = 'The merchant must send the version 2 answer in the PAYMENT-REQUIRED header, as base64 of its JSON.'
const PASTE_ALL = 'Paste headers and body together: what curl -i prints.'

// Clients of version 2 read the header only, those of version 1 the body only.
function deliveryChecks({ header, body, whole }: Offer): Check[] {
  return [headerCheck({ header, body, whole }), bodyCheck({ header, body, whole }), agreementCheck({ header, body, whole })]
}

function headerCheck({ header, body, whole }: Offer): Check {
  if (header) {
    return header.x402Version === 2
      ? passed('header', 'The PAYMENT-REQUIRED header has version 2.')
      : failed('header', 'invalid_x402_version', 'The PAYMENT-REQUIRED header must have version 2.', SEND_HEADER)
  }
  if (body?.x402Version !== 2) return notReached('header', 'Without a PAYMENT-REQUIRED header only clients of version 1 can pay.')
  if (whole) return failed('header', null, 'Version 2 is in the body, and the PAYMENT-REQUIRED header is missing.', SEND_HEADER)
  return notReached('header', 'Clients of version 2 read the PAYMENT-REQUIRED header, which was not pasted.', PASTE_ALL)
}

function bodyCheck({ header, body, whole }: Offer): Check {
  if (body?.x402Version === 1) return passed('body', 'The body has version 1.')
  if (body && header) return failed('body', null, 'The body must have version 1.', 'Clients of version 1 read the body only.')
  const missing = whole ? 'The body holds no offer of version 1' : 'No body of version 1 was pasted'
  return notReached('body', `${missing}; clients of version 1 need it.`, whole ? null : PASTE_ALL)
}

function agreementCheck({ header, body }: Offer): Check {
  if (!header || !body) return notReached('header_and_body', 'Only one half was found.')
  const [inHeader, inBody] = [acceptsIn(header).map(termsOf), acceptsIn(body).map(termsOf)]
  const [stray] = inBody.filter((terms) => !inHeader.includes(terms))
  if (stray === undefined) return passed('header_and_body', 'Every offer of the body is in the header.')
  const evidence = `The body offers ${stray}; the header offers ${inHeader.join(', or ')}.`
  return failed('header_and_body', null, evidence, 'The merchant must ask for the same payment in both.')
}

function termsOf(given: Json): string {
  try {
    const terms = parseTerms(given)
    const { network, amount, payTo } = terms
    return `${money(amount, assetIn(terms))} on ${networkRow(network).title} to ${payTo}`
  } catch (error) {
    if (isServiceError(error)) return 'unreadable terms'
    throw error
  }
}

/** An offer as a payment without a transfer: what the rules of requirements read. */
function readOffer(answer: Json, given: Json, at: number): { answer: Json } & ({ payment: Payment } | { refused: Check }) {
  try {
    const terms = parseTerms(given)
    const resource = objectOr(answer.resource)
    const declared = {
      ...terms.declared,
      ...(answer.x402Version === 2 ? { resourceInfo: resource, extensions: objectOr(answer.extensions) } : {}),
    }
    const url = typeof resource.url === 'string' ? resource.url : ''
    const payment: Payment = {
      ...terms,
      x402Version: answer.x402Version === 1 ? 1 : 2,
      claimed: { scheme: terms.scheme, network: terms.network },
      resource: terms.resource || url,
      transfer: { kind: 'other', payload: null },
      declared,
    }
    return { answer, payment }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { answer, refused: unreadable(given, at, error) }
  }
}

/** Everything that is wrong with an offer that cannot be read, under the reason of its first fault. */
function unreadable(given: Json, at: number, first: ServiceError): Check {
  const [, ...others] = termFaults(given)
  const evidence = [first, ...others].map(({ message }) => sentence(message.replace('paymentRequirements.', `accepts[${at}].`)))
  const near = others.length === 0 && first.facts.reason === 'invalid_network' ? nearNetwork(given.network) : null
  return failed('offer', first.facts.reason ?? null, evidence.join(' '), near ?? (others.length > 0 ? MEND_ALL : undefined))
}

const MEND_ALL = 'The merchant must mend each of these fields of the offer.'

async function accountCheck(app: App, { network, payTo, asset }: Payment): Promise<Check> {
  const { title, ...row } = networkRow(network)
  const configured = app.networks.get(network)
  const { symbol } = assetIn({ network, asset })
  const token = row.family === 'svm' ? row.assets.find(({ address }) => address === asset) : undefined
  const address = token ? associatedAccount(payTo, asset, token.program) : null
  if (configured?.family !== 'svm' || address === null) return notReached('pay_to_account', `${title} is not configured here.`)
  try {
    const account = await configured.chain.tokenAccount(address)
    if (account?.owner === payTo && account.mint === asset && !account.frozen) {
      return passed('pay_to_account', `payTo has the ${symbol} account ${address} on ${title}.`)
    }
    const fault = account?.frozen ? 'is frozen' : 'does not exist'
    const remedy = `The merchant must open the account once, for instance by receiving any ${symbol} there.`
    return failed('pay_to_account', null, `The ${symbol} account ${address} of payTo on ${title} ${fault}.`, remedy)
  } catch (error) {
    app.log.warn({ err: error, network }, 'the account of a recipient could not be read')
    return notReached('pay_to_account', `No node of ${title} answered.`)
  }
}
