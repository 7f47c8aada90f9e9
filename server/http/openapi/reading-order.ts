import { type Endpoint, tags } from '../endpoint'

/** Operations that the reference shows first in their sections, in this order. The others follow by path. */
export const FIRST: readonly string[] = [
  'verify',
  'settle',
  'getSettlements',
  'findSettlements',
  'lookUpPayment',
  'explain',
  'getSupported',
  'getSupportedEverywhere',
  'listChannels',
  'getChannel',
  'putChannel',
  'deleteChannel',
  'listKeys',
  'createKey',
  'getKey',
  'changeKey',
  'revokeKey',
  'rotateOwnKey',
  'listWalletKeys',
  'createWalletKey',
  'revokeWalletKey',
  'listWebhooks',
  'createWebhook',
  'changeWebhook',
  'removeWebhook',
  'rotateWebhook',
  'testWebhook',
  'listDeliveries',
  'getDelivery',
  'resendDelivery',
  'offerCredits',
  'buyCredits',
  'getBalance',
  'createAgentKey',
  'revokeAgentKey',
  'changeAgentConfig',
  'createTenant',
  'listTenants',
  'getTenant',
  'changeTenant',
  'rotateKey',
  'listLanes',
  'releaseLane',
  'listHistory',
  'getAnalytics',
  'goToOperator',
  'getHealth',
  'getStatus',
  'getOpenApi',
]

const SECTIONS = Object.keys(tags)

/** Sorts endpoints as the reference shows them: by section, the same endpoint of all prefixes together. */
export function inReadingOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const places = new Map(endpoints.map((one) => [one, placesOf(one, endpoints)]))
  return endpoints.toSorted((one, other) => compare(places.get(one) ?? [], places.get(other) ?? []))
}

function placesOf(endpoint: Endpoint, endpoints: readonly Endpoint[]): (number | string)[] {
  const { operation, path, method } = endpoint
  const section = operation ? SECTIONS.indexOf(operation.tag) : SECTIONS.length
  const address = addressOf(endpoint)
  const ranks = endpoints.flatMap((one) => (addressOf(one) === address && one.operation ? FIRST.indexOf(one.operation.id) : []))
  const rank = Math.max(-1, ...ranks)
  return [section, rank < 0 ? FIRST.length : rank, depthOf(address), address, depthOf(path), path, method]
}

/** What the same endpoint of all prefixes has in common. */
const addressOf = ({ method, path, operation }: Endpoint) => operation?.group?.address ?? `${path} ${method}`
const depthOf = (path: string) => path.split('/').length

function compare([one, ...rest]: (number | string)[], [other, ...others]: (number | string)[]): number {
  if (one === undefined || other === undefined) return 0
  if (one === other) return compare(rest, others)
  return one < other ? -1 : 1
}
