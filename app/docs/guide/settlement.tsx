import { guides } from '@/app/docs/pages'
import { sandboxSale, settleCommands } from '@/app/docs/programs/merchants'
import { Code } from '@/components/code/code'
import { DocsSection } from '@/components/docs/article'
import { Terms } from '@/components/docs/terms'
import { FlowPicture } from '@/components/flow-picture'

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
        <p>The base URL is all you configure. Each has the same routes below it.</p>
        <Terms
          rows={[
            { term: 'Sandbox', meaning: <Base url={`${baseUrl}/sandbox`} text="testnets, free, no key" /> },
            { term: 'Production', meaning: <Base url={`${baseUrl}/v1/<API_KEY>`} text="mainnets and Base Sepolia" /> },
            {
              term: <a href="/docs/flash">Flash</a>,
              meaning: <Base url={`${baseUrl}/v1/<API_KEY>/flash`} text="answers at preconfirmation" />,
              key: 'flash',
            },
          ]}
        />
        <p>
          Below them are <code>/verify</code>, <code>/settle</code>, <code>/supported</code>, <code>/settlements/{'{id}'}</code>{' '}
          and <code>/discovery/…</code>. Double and trailing slashes change nothing.
        </p>
      </DocsSection>
      <DocsSection section={byHand}>
        <p>
          Your middleware makes these requests. Verify judges a payment and moves nothing. Settle judges it, sends it, and answers
          when it is on the chain.
        </p>
        <Code name="Verify and settle" code={settleCommands(sandboxSale(baseUrl))} language="shellscript" />
      </DocsSection>
      <DocsSection section={outcomes}>
        <p>Verify and settle answer 200 also for a payment that fails; the body says so. Deliver only on success.</p>
        <Terms
          rows={[
            { term: <code>success: true</code>, meaning: 'The money moved. transaction is its hash.', key: 'success' },
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
              meaning: 'The transaction is sent and its outcome is still open. Repeat the identical request to wait longer.',
              key: 'pending',
            },
            {
              term: 'Any 4xx or 5xx',
              meaning: 'We did not act. error says what to change, or Retry-After when to repeat the request.',
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
            Or look it up: <code>GET …/settlements/{'{id}'}</code> takes the <code>x-settlement-id</code> of the response or the
            hash of the transaction.
          </li>
          <li>
            A <a href="/docs/webhooks">webhook</a> brings the outcome of each payment to your server.
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
