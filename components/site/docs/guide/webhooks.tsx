import { exampleMessage } from '@/server/webhooks/example'
import { webhookProgram } from '../../../client/programs/webhooks'
import { Code } from '../../../ui/code/code'
import { DocsSection } from '../article'
import { guides } from '../pages'
import { Prose } from '../reference/prose'
import { Terms } from '../terms'

const [start, events, message, receive, delivery] = guides.webhooks.sections

const EVENTS: [event: string, when: string][] = [
  ['payment.settled', 'The payment settled on-chain; on `/flash`, at preconfirmation.'],
  ['payment.finalized', 'The network finalized the block of a settled payment. Nothing can undo it.'],
  ['payment.failed', 'A payment that passed verification failed and can no longer settle; `data.error_reason` says why.'],
  ['payment.reversed', 'A chain reorganization undid a settled payment. This is rare.'],
  ['alert.quota', '80% of a monthly quota is used; sent again when all of it is.'],
  ['alert.failure_rate', 'In the last hour, a quarter of at least 20 payments failed. At most once in six hours.'],
  ['webhook.test', 'Someone clicked “Send test”. It contains no payment, and we try it once.'],
]

/** How a merchant's server receives and verifies webhooks. */
export function Webhooks() {
  return (
    <>
      <DocsSection section={start}>
        <ol>
          <li>
            <strong>Add.</strong> Add the URL of your server on the <a href="/dashboard/webhooks">dashboard</a>. Copy the secret
            that it shows once.
          </li>
          <li>
            <strong>Verify.</strong> Check the signature of each message with the secret: <a href="#receive">copy this program</a>
            .
          </li>
          <li>
            <strong>Answer 2xx.</strong> Answer within 10 seconds. After anything else we <a href="#delivery">try again</a>.
          </li>
        </ol>
      </DocsSection>
      <DocsSection section={events}>
        <p>
          You receive the outcome of every accepted payment, also of one that answered <code>settlement_pending</code>. A refused
          payment sends no event; the response to your request says why.
        </p>
        <Terms
          rows={EVENTS.map(([event, when]) => ({
            id: event,
            term: (
              <a className="anchor" href={`#${event}`}>
                <code>{event}</code>
              </a>
            ),
            meaning: <Prose text={when} />,
          }))}
        />
      </DocsSection>
      <DocsSection section={message}>
        <p>
          Each message is a JSON POST. <code>data</code> has the fields of your history. <code>data.id</code> is the{' '}
          <code>x-settlement-id</code> of the settle response. In an alert, <code>data</code> has the counts that raised it.
        </p>
        <Code name="The body of a webhook" code={JSON.stringify(JSON.parse(exampleMessage().body), null, 2)} language="json" />
      </DocsSection>
      <DocsSection section={receive}>
        <p>
          Signatures follow <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, so any of its libraries verifies
          them: the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>, and a
          secret with the prefix <code>whsec_</code>. This program needs no library.
        </p>
        <Code name="webhook.mjs" code={webhookProgram()} language="typescript" />
      </DocsSection>
      <DocsSection section={delivery}>
        <ul>
          <li>Answer with a 2xx status within 10 seconds. 410 disables the webhook.</li>
          <li>
            After anything else, redirects included, we try again: first after about 5 seconds, then at growing intervals for 24
            hours. We honor <code>Retry-After</code> on 429 and 503.
          </li>
          <li>
            A message can come twice, always with the same <code>webhook-id</code>, and in no guaranteed order.
          </li>
          <li>The dashboard lists deliveries and attempts for 30 days, and can send them again.</li>
        </ul>
      </DocsSection>
    </>
  )
}
