import { tags } from '@/server/http/endpoint'
import { GUIDE_GROUPS, guidePage, START } from '../docs/pages'

/** What the slip of a preview picture says. */
export type CardSlip = {
  to: string
  amount: string
  symbol: string
  lines: readonly (readonly [name: string, value: string])[]
  stamp: string
}

/** The texts of a preview picture. Its slip is an example unless it has one of its own. */
export type Card = { label: string; title: string; text: string; slip?: CardSlip }

/** What the home page says in one sentence. */
export const PITCH = 'A payment facilitator for HTTP APIs: signed stablecoin payments, verified and settled on-chain.'

/** What the catalog says in one sentence. */
export const CATALOG_PITCH = 'Paid APIs for agents and programs, each paid at least once in the last 90 days.'

/** What the page that explains payments says in one sentence. */
export const EXPLAIN_PITCH = 'Paste an x402 payment or a 402 response: every check of it, what was found, and what to do.'

/** What the sign-in page says in one sentence. */
export const SIGN_IN_PITCH = 'For merchants, for wallets that pay, for agents with credits, and for the operator.'

/** What the status page says in one sentence. */
export const STATUS_PITCH = 'Whether each network takes payments now, and how many payments settled, with honest bounds.'

const guideCards = GUIDE_GROUPS.flatMap(({ names }) => [...names])
  .map(guidePage)
  .map(({ path, title, description }) => [nameOf(path), { label: 'Documentation', title, text: description }] as const)

const routeCards = Object.entries(tags).map(([tag, about]) => {
  return [nameOf(`/docs/api/${tag.toLowerCase()}`), { label: 'API reference', title: tag, text: about }] as const
})

/** The pictures that are drawn when the service is built, by name. */
export const cards: ReadonlyMap<string, Card> = new Map<string, Card>([
  ['home', { label: 'x402 facilitator', title: 'Get paid per request', text: PITCH }],
  ['catalog', { label: 'Catalog', title: 'APIs that you pay per request', text: CATALOG_PITCH }],
  ['explain', { label: 'For developers', title: 'Explain a payment', text: EXPLAIN_PITCH }],
  ['status', { label: 'Status', title: 'What settles, and what fails', text: STATUS_PITCH }],
  ['sign-in', { label: 'Account', title: 'Sign in', text: SIGN_IN_PITCH }],
  ['docs', { label: 'Documentation', title: START.title, text: START.description }],
  ['docs-api', { label: 'API reference', title: 'API overview', text: 'All routes by group, with examples in three languages.' }],
  ['docs-api-objects', { label: 'API reference', title: 'Objects', text: 'The objects in request and response bodies.' }],
  ...guideCards,
  ...routeCards,
])

/** The address of a page's preview picture. */
export const pictureUrl = (path: string): string => `/pictures/${nameOf(path)}.png`

function nameOf(path: string): string {
  return path.slice(1).replaceAll('/', '-')
}
