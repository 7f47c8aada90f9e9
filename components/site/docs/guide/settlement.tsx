import { sandboxSale, settleCommands } from '../../../client/programs/merchants'
import { Code } from '../../../ui/code/code'
import { FlowPicture } from '../../frame/flow-picture'
import { DocsSection } from '../article'
import { guides } from '../pages'
import { Terms } from '../terms'

const [flow, urls, byHand, outcomes, retries] = guides.settlement.sections

/** How a payment becomes money. */
export function Settlement({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <DocsSection section={flow}>
        <p>
          Your server names a price. The caller signs a USDC transfer. Quittance verifies it, settles it on-chain and pays the
          gas. The money goes straight to your wallet.
        </p>
        <FlowPicture />
      </DocsSection>
      <DocsSection section={urls}>
        <p>You configure only the base URL. All base URLs have the same routes.</p>
        <Terms
          rows={[
            { term: 'Sandbox', meaning: <Base url={`${baseUrl}/sandbox`} text="testnets, free, no key" /> },
            { term: 'Production', meaning: <Base url={`${baseUrl}/v1/<API_KEY>`} text="mainnets and EVM testnets" /> },
            {
              term: <a href="/docs/flash">Flash</a>,
              meaning: <Base url={`${baseUrl}/v1/<API_KEY>/flash`} text="answers at preconfirmation" />,
              key: 'flash',
            },
          ]}
        />
        <p>
          Below them are <code>/verify</code>, <code>/settle</code>, <code>/supported</code>, <code>/settlements/{'{id}'}</code>{' '}
          and <code>/discovery/…</code>. Double and trailing slashes make no difference.
        </p>
      </DocsSection>
      <DocsSection section={byHand}>
        <p>
          Your middleware makes these requests. Verify checks a payment and moves no money. Settle checks it, sends it, and
          answers when it is on-chain.
        </p>
        <Code name="Verify and settle" code={settleCommands(sandboxSale(baseUrl))} language="shellscript" />
      </DocsSection>
      <DocsSection section={outcomes}>
        <p>Verify and settle also answer 200 for a payment that fails; the body says so. Deliver only on success.</p>
        <Terms
          rows={[
            {
              term: <code>success: true</code>,
              meaning: (
                <>
                  The money moved. <code>transaction</code> is its hash. <code>extra</code> says how final it is, and{' '}
                  <code>extensions</code> contains a signed receipt.
                </>
              ),
              key: 'success',
            },
            {
              term: <code>success: false</code>,
              meaning: (
                <>
                  No money moved. <code>errorReason</code> says why; see <a href="/docs/errors#reasons">reasons</a>, or paste the
                  payment at <a href="/explain">Explain a payment</a>.
                </>
              ),
              key: 'failure',
            },
            {
              term: <a href="/docs/errors#reason-settlement_pending">settlement_pending</a>,
              meaning:
                'The transaction is sent and has no outcome yet. Repeat the identical request to wait longer. The dashboard shows it above the settlements, as In progress.',
              key: 'pending',
            },
            {
              term: 'Any 4xx or 5xx',
              meaning: 'Nothing was sent. error says what to change; Retry-After says when to retry.',
            },
          ]}
        />
        <p>
          Amounts are strings of atomic units: USDC has 6 decimals, so <code>"1000000"</code> is 1 USDC. Networks are CAIP-2 ids.
          Times are ISO 8601 in UTC.
        </p>
      </DocsSection>
      <DocsSection section={retries}>
        <ul>
          <li>A signed transfer settles at most once, even after a crash. Repeating a request never pays twice.</li>
          <li>
            If a response is lost, repeat the identical request. With an <code>Idempotency-Key</code> you get the stored response
            for 24 hours.
          </li>
          <li>
            Or look up the settlement: <code>GET …/settlements/{'{id}'}</code> takes the <code>x-settlement-id</code> or the
            transaction hash. If you have neither, <code>GET …/settlements?payer=…&nonce=…</code> finds it.
          </li>
          <li>
            Or add a <a href="/docs/webhooks">webhook</a>: your server receives the outcome of each payment.
          </li>
        </ul>
      </DocsSection>
    </>
  )
}

function Base({ url, text }: { url: string; text: string }) {
  return (
    <>
      <code>{url}</code> {text}
    </>
  )
}
