import type { EventData } from '../ledger/statements/events'
import { type Environment, environments } from '../x402/networks/networks'
import { reasons } from '../x402/reasons/reasons'
import { channelAlert, creditAlert, failureAlerts, listingAlert, quotaAlerts } from './alerts'
import { EVENT_MEANINGS } from './event-texts'
import { type ListingEvent, TEST_EVENT, type WebhookEvent, webhookEvents } from './events'
import { eventBody, signedHeaders, testBody } from './messages'

type Named = WebhookEvent | typeof TEST_EVENT
type Example = { headers: Record<string, string>; body: string; secret: string }

// A secret of zeros: it signs nothing else.
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
const AT = '2026-11-21T12:00:02.113Z'
const TENANT = '01931e00-0000-7000-8000-000000000001'
const EVENTS: readonly Named[] = [...webhookEvents, TEST_EVENT]
const OWNER = { ownerKind: 'oidc', ownerId: 'example' }

/** A message as we send it, with its headers. Built by the code that builds real messages. */
export function exampleMessage(event: Named = 'payment.settled', environment: Environment = 'mainnet'): Example {
  const body = bodyOf(event, environment)
  const message = { id: '01931f0e-9c10-7b2f-8a3d-5e6f70819a2b', timestamp: Math.floor(Date.parse(AT) / 1_000), body }
  return { headers: signedHeaders([SECRET], message), body, secret: SECRET }
}

/** An example of each event in each environment, without the secret. */
export function exampleMessages() {
  return environments.flatMap((environment) =>
    EVENTS.map((event) => {
      const { headers, body } = exampleMessage(event, environment)
      return { environment, event, headers, body }
    }),
  )
}

/** A message of each event with its meaning, for the OpenAPI document. */
export function documentedMessages() {
  return EVENTS.map((event) => {
    const { headers, body } = exampleMessage(event)
    return { event, meaning: EVENT_MEANINGS[event], headers, body }
  })
}

function bodyOf(event: Named, environment: Environment): string {
  switch (event) {
    case 'payment.settled':
      return paymentBody({ type: event, environment, reason: null })
    case 'payment.finalized':
      return paymentBody({ type: event, environment, reason: null })
    case 'payment.failed':
      return paymentBody({ type: event, environment, reason: 'authorization_used_elsewhere' })
    case 'payment.reversed':
      return paymentBody({ type: event, environment, reason: 'settlement_reversed' })
    case 'alert.quota':
      return alertBody(quotaAlerts({ ...OWNER, ...QUOTA }, new Date(AT)))
    case 'alert.failure_rate':
      return alertBody(failureAlerts({ ...OWNER, total: 40, failed: 12, reason: 'insufficient_funds' }, new Date(AT)))
    case 'alert.credits':
      return alertBody([creditAlert({ ...AGENT, environment, purchased: 1_000, left: 98 }, new Date(AT))])
    case 'alert.channel':
      return channelAlert(
        { ...OWNER, ...CHANNEL, network: environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532' },
        new Date(AT),
      ).body
    case 'listing.listed':
    case 'listing.changed':
    case 'listing.expiring':
    case 'listing.taken':
      return listingBody(event, environment)
    case TEST_EVENT:
      return testBody('01931e00-0000-7000-8000-000000000002', new Date(AT))
  }
}

function listingBody(kind: ListingEvent, environment: Environment): string {
  const until = new Date('2027-02-19T12:00:02.113Z')
  const url = 'https://merchant.example/weather'
  return listingAlert({ ...OWNER, kind, at: new Date(AT), id: TENANT, environment, url, tenantId: TENANT, until }).body
}

const AGENT = { ownerKind: 'wallet', ownerId: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' }
const CHANNEL = {
  id: '0xcfcc7722ef96c28e2ac7397bd8a6e8a135b6df774a5f73aa065064c4b4665c9f',
  tenantId: TENANT,
  stage: 'half_of_delay',
  period: '1',
  payer: '0x857b06519e91e3a54538791bdbb0e22373e36b66',
  token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  unclaimed: '3000',
  deadline: new Date('2026-11-21T12:07:32.000Z'),
  reason: null,
} as const
const QUOTA = { subject: '', tenantId: null, plan: 'growth', period: '2026-11', settlementQuota: 10_000, used: 8_000 }

type Payment = { type: EventData['type']; environment: Environment; reason: keyof typeof reasons | null }

const paymentBody = ({ type, environment, reason }: Payment): string =>
  eventBody({
    type,
    at: AT,
    settlementId: '01931f0e-7a52-7d1c-9b1e-3f2a61c0d7aa',
    tenantId: TENANT,
    logged: true,
    plan: 'growth',
    reason,
    detail: reason && reasons[reason],
    txHash: '0x5cde1b4c1d1f0a4b3e9f3a4c2d4e66c3f0c19b7a5d0be1d3a36b1c9f2a7e8d01',
    network: environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532',
    amount: '1000',
    resource: 'https://merchant.example/weather',
    payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    nonce: `0x${'5f'.repeat(32)}`,
    block: 38_412_077,
    logIndex: 12,
    state: 'INCLUDED',
  })

function alertBody([alert]: readonly { body: string }[]): string {
  if (!alert) throw new Error('the figures of the example raise no alert')
  return alert.body
}
