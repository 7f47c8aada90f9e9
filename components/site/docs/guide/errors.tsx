import { DocsSection } from '../article'
import { guides } from '../pages'
import { Prose } from '../reference/prose'
import { Reasons } from '../reference/reasons'
import { Terms } from '../terms'

const [reasons, statuses] = guides.errors.sections

const STATUSES: [status: string, meaning: string][] = [
  ['200', 'Done. Verify and settle also answer 200 for an invalid payment; the body says why.'],
  ['400', 'The request is invalid, or the payment is below the minimum. `error` names the field.'],
  ['401', 'The API key, JWT, signed message, session token or admin key is missing or invalid.'],
  ['402', 'Payment required for credits. The body and `PAYMENT-REQUIRED` contain the offer.'],
  ['403', 'This plan, network, address or amount is not allowed, or screening flagged a party.'],
  ['404', 'Unknown path, or you have nothing with this id.'],
  ['405', 'The path does not support this method; `Allow` lists the supported ones.'],
  ['408', 'The request was too slow. Limits: headers 10 seconds, body 30.'],
  ['409', 'This payment was submitted before, or the Idempotency-Key belongs to another body.'],
  ['413', 'The body is over 16 KB on verify, settle and explain, 4 KB elsewhere.'],
  ['429', 'Too many requests, or no quota, credits or queue space left. See `Retry-After`.'],
  ['500', 'An error on our side. Report the `x-request-id`.'],
  ['502', 'No RPC or upstream facilitator responded. Nothing was sent.'],
  ['503', 'Not configured or temporarily unavailable. See `Retry-After`.'],
]

/** Reason codes and statuses. */
export function Errors() {
  return (
    <>
      <DocsSection section={reasons}>
        <p>
          The codes in <code>errorReason</code>, <code>invalidReason</code> and <code>error_reason</code>, grouped by cause. Each
          says what it means and what to do. To see every check of one payment, paste it at{' '}
          <a href="/explain">Explain a payment</a>, or send it to <code>POST {'{prefix}'}/explain</code>.
        </p>
        <Reasons />
      </DocsSection>
      <DocsSection section={statuses}>
        <p>
          Every error is JSON: <code>{'{"error": "…"}'}</code>, a sentence that says what is wrong and how to fix it. Verify and
          settle add the fields of official clients, with a <a href="#reasons">reason</a>.
        </p>
        <Terms
          rows={STATUSES.map(([status, meaning]) => ({
            key: status,
            term: <code>{status}</code>,
            meaning: <Prose text={meaning} />,
          }))}
        />
      </DocsSection>
    </>
  )
}
