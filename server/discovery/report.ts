import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '../app'
import { DAY_MS, MINUTE_MS } from '../base/durations'
import { isPublicHost, listedUrl, routeTemplateIn } from '../x402/listing-url'
import { symbolOf, type Token, tokenNamed } from '../x402/networks/assets'
import { type Environment, environmentOf, isNetworkId } from '../x402/networks/networks'
import type { Declared } from '../x402/payment'
import type { SchemeName } from '../x402/schemes/scheme-names'
import { type Declaration, type ListingRules, listingOf } from './bazaar'
import { type Corrected, correctedDeclaration } from './corrected'
import { declaredIn } from './entries'
import { priceOfPaid } from './entry-queries'
import { type ListingRule, listingRules, type Severity } from './listing-rules'
import {
  baseOf,
  type EntryState,
  type PaidRow,
  type Reported,
  readEntries,
  readKeysWithoutHistory,
  readPaid,
} from './report-queries'

/** A rule that a resource breaks. `path` is the field at fault of its declaration. */
export type Problem = { rule: ListingRule; severity: Severity; message: string; path: string | null; remedy: string }

/** A resource that was paid for, or that the catalog has of this reader. */
export type ReportedResource = {
  /** The address of its entry, or as it was paid for if it cannot have one. */
  resource: string
  listed: boolean
  /** When the entry expires without another payment; null without an entry. */
  until: Date | null
  /** Its newest payment among those that were read; null without one. */
  paid: (Pick<PaidRow, 'id' | 'network' | 'amount' | 'calls' | 'lastPaid'> & Price & { token: Token }) | null
  problems: Problem[]
  /** Who is paid at the entry of another account at this URL; null without one. */
  heldBy: EntryState['payees'] | null
  /** A declaration to paste that would be listed; null where the declaration is not at fault. */
  declaration: Corrected | null
}

/** The scheme of a payment, and what a call cost at most, in atomic units. */
type Price = { scheme: SchemeName; price: string }

/** What an environment's catalog has of a reader's paid resources, and the exact rule that keeps each other one out. */
export type ListingReport = {
  environment: Environment
  /** The reader's live keys without history: their payments list nothing, and are in no report. */
  keysWithoutHistory: { id: string; name: string }[]
  /** Last paid first, then entries without a newer payment. */
  resources: ReportedResource[]
}

/** The newest payments that are read, the resources among them, and the entries beside them. */
const READ_MAX = { rows: 2_000, resources: 200 } as const
const KEYS_MAX = 50

/** A listing follows its payment some time later. */
const SOON_MS = MINUTE_MS
const EXPIRING_MS = 7 * DAY_MS

type Where = Pick<App, 'db' | 'now'> & { config: ListingRules }

/**
 * The report of an environment, of at most so many resources. The newest payment of a resource decides. Other requests are served between
 * two resources: a declaration may take milliseconds.
 */
export async function listingReport(
  { db, config, now }: Where,
  whose: Reported,
  environment: Environment,
  resourcesMax: number = READ_MAX.resources,
): Promise<ListingReport> {
  const rows = (await readPaid(db, whose, { ...READ_MAX, resources: resourcesMax })).filter(
    ({ network }) => environmentIn(network) === environment,
  )
  const paid = await inTurns(rows, (row) => judged(row, config))
  const urls = paid.flatMap(({ url }) => url ?? [])
  const hosts = [...new Set(paid.flatMap(({ url }) => (url !== null && URL.canParse(url) ? new URL(url).host : [])))]
  const entries = await readEntries(db, whose, { environment, urls, hosts, most: resourcesMax })
  const keysWithoutHistory = await readKeysWithoutHistory(db, whose, KEYS_MAX)
  const byUrl = new Map(entries.map((entry) => [entry.url, entry]))
  // Another account's page or tool of a URL keeps this one's out.
  const beside = new Map(entries.flatMap((entry) => (entry.own ? [] : [[baseOf(entry.url), entry] as const])))
  const entryAt = (url: string | null) => (url === null ? null : (byUrl.get(url) ?? beside.get(baseOf(url)) ?? null))
  const known = new Set(urls)
  const others = entries.filter(({ own, url }) => own && !known.has(url))
  const resources = [
    ...(await inTurns(paid, (one) => resourceOf(one, entryAt(one.url), { config, now: now() }))),
    ...others.map((entry) => idleEntry(entry, now())),
  ]
  return { environment, keysWithoutHistory, resources }
}

async function inTurns<From, To>(all: readonly From[], make: (one: From) => To): Promise<To[]> {
  const made: To[] = []
  for (const one of all) {
    await nextTurn()
    made.push(make(one))
  }
  return made
}

type Judged = { row: PaidRow; terms: Price; declaration: Declaration; listing: ReturnType<typeof listingOf>; url: string | null }

function judged(row: PaidRow, config: ListingRules): Judged {
  const { scheme, amount } = priceOfPaid(row)
  const declaration = { ...row, scheme, amount, declared: declaredIn(row) }
  const listing = listingOf(declaration, config)
  const place = listing && 'url' in listing ? listing : listedUrl(row.resource, null, config)
  return { row, terms: { scheme, price: amount.toString() }, declaration, listing, url: 'url' in place ? place.url : null }
}

type At = { config: ListingRules; now: Date }

function resourceOf(
  { row, terms, declaration, listing, url }: Judged,
  entry: EntryState | null,
  { config, now }: At,
): ReportedResource {
  const { id, resource, network, amount, calls, lastPaid } = row
  const own = entry?.own ? entry : null
  const declared = declarationProblems(declaration.declared, listing)
  const problems = [
    ...declared,
    ...(isPlainHttp(resource) ? [problem('http_url')] : []),
    ...(declared.some(isRequired) ? [] : placeProblems(entry, now.getTime() - lastPaid.getTime())),
    ...(own ? expiryProblems(own, now) : []),
  ]
  const corrects = declared.some(({ rule }) => !rule.startsWith('url_'))
  return {
    resource: url ?? resource,
    listed: own?.listed ?? false,
    until: own?.until ?? null,
    paid: { id, ...terms, network, amount, calls, lastPaid, token: tokenNamed(symbolOf(network, row.asset)) },
    problems,
    heldBy: entry && !entry.own ? entry.payees : null,
    declaration: corrects ? correctedDeclaration(declaration, config) : null,
  }
}

function idleEntry(entry: EntryState, now: Date): ReportedResource {
  const { url: resource, listed, until } = entry
  return { resource, listed, until, paid: null, problems: expiryProblems(entry, now), heldBy: null, declaration: null }
}

function declarationProblems(declared: Declared, listing: Judged['listing']): Problem[] {
  if (listing === null) return [problem(undeclaredRule(declared))]
  if ('rejected' in listing) return [problem(listing.rule, listing.rejected, listing.path)]
  const { routeTemplate } = Object(declared.extensions?.bazaar)
  const ignored = declared.outputSchema === undefined && routeTemplate !== undefined && routeTemplateIn(routeTemplate) === null
  return ignored ? [problem('template_ignored', undefined, 'extensions.bazaar.routeTemplate')] : []
}

function undeclaredRule({ outputSchema, extensions, resourceInfo }: Declared): ListingRule {
  if (outputSchema !== undefined) return 'opted_out'
  // Version 2 has the resource in its payload.
  return resourceInfo !== undefined && extensions === undefined ? 'extensions_missing' : 'declaration_missing'
}

function placeProblems(entry: EntryState | null, paidAgoMs: number): Problem[] {
  if (entry) return entry.own ? [] : [problem('held_by_other')]
  return [problem(paidAgoMs < SOON_MS ? 'pending' : 'limit_reached')]
}

function expiryProblems({ listed, until }: EntryState, now: Date): Problem[] {
  if (!listed) return [problem('expired')]
  return until.getTime() - now.getTime() < EXPIRING_MS ? [problem('expiring')] : []
}

/** A rule as a report names it. */
export function problem(rule: ListingRule, message: string = listingRules[rule].text, path: string | null = null): Problem {
  const { severity, remedy } = listingRules[rule]
  return { rule, severity, message, path, remedy }
}

const isRequired = ({ severity }: Problem) => severity === 'required'

function isPlainHttp(resource: string): boolean {
  if (!URL.canParse(resource)) return false
  const { protocol, hostname } = new URL(resource)
  return protocol === 'http:' && isPublicHost(hostname)
}

const environmentIn = (network: string): Environment | null => (isNetworkId(network) ? environmentOf(network) : null)
