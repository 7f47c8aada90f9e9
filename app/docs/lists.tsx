import { Prose } from '@/components/reference/prose'
import { headers } from '@/server/http/openapi/headers'

/** What answers say in headers. */
export function Headers() {
  return (
    <section className="chapter" id="headers">
      <h2>Headers</h2>
      <p className="muted">What answers say besides their bodies. Scripts of any website can read them on open routes.</p>
      <dl className="terms">
        {Object.entries(headers).map(([name, { about }]) => (
          <div id={`header-${name}`} key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Prose text={about} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const STATUSES: [status: string, meaning: string][] = [
  ['200', 'Done, or judged: a payment that is not good is an answer too, and its body says why.'],
  ['400', 'Something cannot be read, or the payment is below the minimum. `error` names the field.'],
  ['401', 'The API key, JWT, signed message, session token or admin key is missing or not good.'],
  ['402', 'Credits cost money: the body and `PAYMENT-REQUIRED` hold the offer.'],
  ['403', 'Not with this plan, network, address or amount; or screening flagged a party.'],
  ['404', 'There is no such address, or nothing of yours has this id.'],
  ['405', 'The address does not answer this method; `Allow` lists those that it does.'],
  ['408', 'The request came too slowly: headers within 10 seconds, the body within 30.'],
  ['409', 'This payment was submitted before, or the Idempotency-Key belongs to another body.'],
  ['413', 'The body is over 16 KB on verify and settle, 4 KB elsewhere.'],
  ['429', 'Too many requests per second, or the quota, the credits or a queue is at its end. See `Retry-After`.'],
  ['500', 'A fault of ours. Quote the `x-request-id`.'],
  ['502', 'No node of the network, or no facilitator behind this tier, answered. Nothing was sent.'],
  ['503', 'Not configured, or not for the moment. See `Retry-After`.'],
]

/** What each status means, whatever was asked. */
export function Statuses() {
  return (
    <section className="chapter" id="errors">
      <h2>Errors</h2>
      <p>
        Every error is JSON: <code>{'{"error": "…"}'}</code>, a sentence that says what is wrong and how to mend it. On verify and
        settle the fields that official clients read are beside it, with a <a href="#reasons">reason</a>.
      </p>
      <dl className="terms">
        {STATUSES.map(([status, meaning]) => (
          <div key={status}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Prose text={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
