import type { App } from '../app'
import { withoutSecrets } from '../base/log'
import { errorCatalog } from '../http/documented-codes'
import { assetIn, USDC } from '../x402/networks/assets'
import { readNetwork } from '../x402/networks/networks'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import {
  type Check,
  type Explanation,
  type Field,
  type Findings,
  failed,
  NO_VERDICT,
  notReached,
  passed,
  withToken,
} from './checks'
import { FIELDS_MAX, fieldsOf, objectIn, objectOr, plainFields, tokenIn } from './fields'
import { headlineOf } from './headline'
import { type CallerOf, judgeBody } from './judged'
import { matched, offersIn } from './matching'
import { nearNetwork } from './near-network'
import { cutFields, offerFields } from './offer-fields'
import { acceptsIn, offerChecks } from './offers'
import { type Json, NAME_MAX, type Offer, type Pasted, recognize } from './recognize'
import { type SeenSettlement, settlementChecks, settlementFields } from './settlement'
import { sentence } from './units'

/** Who asks: as whom payments are judged, and which settlements are its own by an id or a transaction. */
export type Asker = { callerOf: CallerOf; settlementsOf: (named: string) => Promise<SeenSettlement[]> }

/** What is asked: anything of x402, and the requirements of a payment if they were pasted apart. */
export type Question = { input: unknown; paymentRequirements?: unknown }

/**
 * Explains what was pasted: what it is, its fields, every check with its evidence, and the verdict of verify. It changes, counts and keeps
 * nothing. Secrets in URLs are masked.
 */
export async function explain(app: App, asker: Asker, question: Question): Promise<Explanation> {
  const pasted = recognize(question.input)
  const findings = await explained(app, asker, pasted, question.paymentRequirements)
  const { kind, ...rest } = masked(findings)
  return { kind, headline: headlineOf(findings), ...rest }
}

function explained(app: App, asker: Asker, pasted: Pasted, given: unknown): Promise<Findings> {
  switch (pasted.kind) {
    case 'payment_request':
      return ofBody(app, asker, { kind: pasted.kind, body: withRequirements(pasted.body, given), before: [] })
    case 'payment':
      return ofPayment(app, asker, pasted, given)
    case 'payment_required':
      return ofOffer(app, asker, pasted.kind, pasted.offer)
    case 'payment_requirements': {
      const { requirements } = pasted
      const x402Version = requirements.maxAmountRequired === undefined ? 2 : 1
      const answer = { x402Version, accepts: [requirements], resource: { url: requirements.resource } }
      return ofOffer(app, asker, pasted.kind, {
        header: null,
        body: null,
        whole: false,
        [x402Version === 1 ? 'body' : 'header']: answer,
      })
    }
    case 'payment_response':
    case 'verify_response':
      return Promise.resolve(ofResponse(pasted.kind, pasted.response))
    case 'settlement':
      return ofSettlement(app, asker, pasted.named)
    case 'reason':
      return Promise.resolve(ofReason(pasted.code))
    case 'url':
      return Promise.resolve(plain(pasted.kind, [], [urlCheck(pasted.url)]))
    case 'unknown':
      return Promise.resolve(ofUnknown(pasted))
  }
}

/** A code alone, as merchants' logs show it. */
function ofReason(code: string): Findings {
  const cause = errorCatalog.find((entry) => entry.code === code)?.cause ?? code
  return plain('reason', [], withToken(USDC.symbol, [failed('outcome', code, cause)]))
}

const TAKEN =
  'Paste a 402 response, a payment header, a body of verify or settle, a payment response, a reason code, a settlement ID or a transaction hash.'

/** What was not recognized, with the fields before the cut of a text that lost its end. */
function ofUnknown({ kind, problem, remedy = TAKEN, read = {} }: Extract<Pasted, { kind: 'unknown' }>): Findings {
  const check = failed('content', null, sentence(problem), remedy)
  return plain(kind, cutFields(read), [check], { ...objectOr(read.accepted), x402Version: read.x402Version })
}

function plain(kind: Findings['kind'], fields: Field[], checks: Check[], about: Json = {}): Findings {
  return { kind, ...aboutOf(about), fields, checks, verdict: NO_VERDICT }
}

function aboutOf({ x402Version, scheme, network }: Json): Pick<Findings, 'x402Version' | 'scheme' | 'network'> {
  const read = typeof network === 'string' ? readNetwork(network) : null
  return {
    x402Version: x402Version === 1 || x402Version === 2 ? x402Version : null,
    scheme: typeof scheme === 'string' ? scheme.slice(0, 64) : null,
    network: read && ('known' in read ? read.known : read.foreign),
  }
}

// A body without requirements gets those that were pasted beside it.
function withRequirements(body: Json, given: unknown): Json {
  const [first] = offersIn(given)
  return first && (body.paymentRequirements === undefined || body.paymentRequirements === null)
    ? { ...body, paymentRequirements: first }
    : body
}

type Body = { kind: 'payment_request' | 'payment'; body: Json; before: Check[] }

async function ofBody(app: App, { callerOf }: Asker, { kind, body, before }: Body): Promise<Findings> {
  const { payment, checks, verdict } = await judgeBody(app, callerOf, body)
  const payload = objectIn(body.paymentPayload ?? body.paymentHeader)
  const required = objectOr(body.paymentRequirements)
  const { symbol } = payment ? assetIn(payment) : tokenIn(required)
  const about = payment ?? {
    x402Version: payload.x402Version ?? body.x402Version,
    scheme: required.scheme ?? payload.scheme,
    network: required.network ?? payload.network,
  }
  return { kind, ...aboutOf(about), fields: fieldsOf(body, payment), checks: [...before, ...withToken(symbol, checks)], verdict }
}

async function ofPayment(
  app: App,
  asker: Asker,
  { kind, payload, offer }: Extract<Pasted, { kind: 'payment' }>,
  given: unknown,
): Promise<Findings> {
  const { body, source } = matched(payload, offer, given)
  if (source !== null) return ofBody(app, asker, { kind, body, before: [passed('requirements', source)] })
  const remedy = 'Paste the 402 response that it pays as paymentRequirements.'
  const check = notReached('requirements', 'The payment does not hold the terms that it answers.', remedy)
  const about: Json = { x402Version: payload.accepted ? 2 : 1, ...payload, ...objectOr(payload.accepted) }
  return plain(kind, fieldsOf(body, null), [...misspelled(about.network), check], about)
}

/** The failed check of a network that no list here has, but whose name comes near one. */
function misspelled(written: unknown): Check[] {
  const read = typeof written === 'string' ? readNetwork(written) : null
  const near = read && 'known' in read ? null : nearNetwork(written)
  return near
    ? [failed('network_served', 'invalid_network', `The payment names the network "${written}", which is unknown here.`, near)]
    : []
}

async function ofOffer(
  app: App,
  { callerOf }: Asker,
  kind: 'payment_required' | 'payment_requirements',
  offer: Offer,
): Promise<Findings> {
  const checks = await offerChecks(app, callerOf, offer)
  const answer = offer.header ?? offer.body ?? {}
  const [first = {}] = acceptsIn(answer)
  const fields = (['header', 'body'] as const).flatMap((half) => offerFields(half, offer[half] ?? {}))
  return plain(kind, fields, checks, { ...first, x402Version: answer.x402Version })
}

function ofResponse(kind: 'payment_response' | 'verify_response', response: Json): Findings {
  const { success, isValid, errorReason, error, invalidReason, errorMessage, invalidMessage } = response
  const holds = kind === 'verify_response' ? isValid === true : success === true
  const reason = textOr(errorReason ?? invalidReason ?? error)
  const message = textOr(errorMessage ?? invalidMessage) ?? reason ?? 'The response names no reason.'
  const outcome = holds
    ? passed('outcome', kind === 'verify_response' ? 'Verify accepted the payment.' : 'The payment was settled.')
    : failed('outcome', reason, message)
  const fields = plainFields('payment', Object.fromEntries(Object.entries(response).slice(0, FIELDS_MAX)))
  return plain(kind, fields, [outcome], response)
}

const textOr = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value.slice(0, 300) : null)

async function ofSettlement(app: App, { callerOf, settlementsOf }: Asker, named: string): Promise<Findings> {
  const found = await settlementsOf(named)
  const [first] = found
  if (!first) {
    const remedy = 'Ask below the URL that settled it, with the same API key, or sign in with the account of that key.'
    return plain('settlement', [], [failed('lookup', null, 'None of your settlements has this id or transaction.', remedy)])
  }
  const checks = await settlementChecks(app, callerOf, found)
  return plain('settlement', plainFields('payment', settlementFields(first)), checks, {
    network: first.network,
    scheme: USUAL_SCHEME,
  })
}

function urlCheck(url: string): Check {
  const named = url.length > NAME_MAX ? 'with this URL' : `'${url.replaceAll("'", '%27')}'`
  const remedy = `Run curl -sS -i ${named} and paste what it prints.`
  return notReached('content', 'This is a URL. No URL is fetched here.', remedy)
}

// What URLs and headers of others carry as keys: query values, user names, keys in the paths of RPC providers.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // The names have bounds: without them a long text costs its square.
  [/([?&][\w.-]{0,40}(?:key|token|secret|password|auth)[\w.-]{0,40}=)[^&\s"'<>]+/gi, '$1<secret>'],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s"'@]{1,300}@/gi, '$1<secret>@'],
  [/(\/v\d\/)[\w-]{20,}/g, '$1<secret>'],
]

/** The value with the secrets in its texts replaced: API keys, tokens, and keys in pasted URLs. */
function masked<T>(value: T): T {
  // Texts stay texts, and nothing else changes.
  return maskedValue(value) as T
}

/** No text of ours is as long; what a stranger writes may be. */
const TEXT_MAX = 1_000

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') {
    // Cut before the patterns of URLs, and after that of keys: half a key would not be recognised.
    const text = withoutSecrets(value).slice(0, TEXT_MAX)
    return PATTERNS.reduce((text, [found, mask]) => text.replace(found, mask), text)
  }
  if (Array.isArray(value)) return value.map(maskedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedValue(inner)]))
}
