import { webhookProgram } from '@/app/docs/programs/webhooks'
import { Snippet } from '@/components/snippet'
import { eventBody } from '@/server/webhooks/messages'

const EVENTS: [event: string, when: string][] = [
  ['payment.settled', 'The money has moved: on the chain, or promised by the preconfirmation below /flash.'],
  ['payment.failed', 'A payment that was under way can never move the money; data.error_reason says why.'],
  ['payment.reversed', 'The chain took back what was told as settled. It is rare.'],
  ['webhook.test', 'Somebody pressed “Send a test”. It tells of no payment.'],
]

// Made as those that are sent are.
const EXAMPLE = eventBody({
  ...{ type: 'payment.settled', at: '2026-11-21T12:00:02.113Z', settlementId: '01931f0e-7a52-7d1c-9b1e-3f2a61c0d7aa' },
  ...{ tenantId: '01931e00-0000-7000-8000-000000000001', logged: true, plan: 'growth', reason: null },
  txHash: '0x5cde1b4c1d1f0a4b3e9f3a4c2d4e66c3f0c19b7a5d0be1d3a36b1c9f2a7e8d01',
  ...{ network: 'eip155:8453', amount: '1000', resource: 'https://merchant.example/weather' },
  payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
})

/** How a merchant's server hears how payments ended, and knows that it is us. */
export function Webhooks() {
  return (
    <section className="chapter" id="webhooks">
      <h2>Webhooks: how a payment ended</h2>
      <p>
        A settle that answers <code>settlement_pending</code> ends later. A webhook tells your server how, and of every other
        payment of your keys that was claimed; add one on the <a href="/dashboard/webhooks">dashboard</a>. What is judged and
        fails at once is told by the answer alone.
      </p>
      <dl className="terms">
        {EVENTS.map(([event, when]) => (
          <div key={event}>
            <dt>
              <code>{event}</code>
            </dt>
            <dd>{when}</dd>
          </div>
        ))}
      </dl>
      <p>
        Each is a POST of JSON as below: <code>data</code> has the words of your history, and <code>data.id</code> is the{' '}
        <code>x-settlement-id</code> that settling answered. It is signed as{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> says, so any of their libraries verifies it: the headers{' '}
        <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, and a secret that begins with{' '}
        <code>whsec_</code>.
      </p>
      <Snippet name="The body of a webhook" code={JSON.stringify(JSON.parse(EXAMPLE), null, 2)} />
      <p>
        Any status from 200 to 299 within 10 seconds is heard; 410 switches the webhook off. Anything else, a redirect too, is
        tried again after about 5 seconds and then with growing pauses for 24 hours, later where a 429 or 503 asks for it in{' '}
        <code>Retry-After</code>. A message comes at least once, and every time under the same <code>webhook-id</code>; the order
        of messages is not promised. The dashboard lists for 30 days what was sent, with every try, and sends it again.
      </p>
      <Snippet name="webhook.mjs" code={webhookProgram()} />
    </section>
  )
}
