import { VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { plans, soldPlans } from '@/server/accounts/plans'
import { credentials } from '@/server/http/openapi/credentials'
import { headers } from '@/server/http/openapi/headers'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networkRow, prefixNetworks } from '@/server/x402/networks/networks'
import { CopyButton } from '../../../ui/copy-button'
import { DocsSection, WholePage } from '../article'
import { guides } from '../pages'
import { Prose } from '../reference/prose'
import { Terms } from '../terms'

const [credentialList] = guides.authentication.sections
const [networkList] = guides.networks.sections
const [planLimits, paymentLimits, requestLimits] = guides.limits.sections
const [headerList] = guides.headers.sections

/** The credentials of each group of routes. */
export function Authentication() {
  const rows = Object.values(credentials).map(({ title, how }) => ({ term: title, meaning: <Prose text={how} /> }))
  return (
    <WholePage section={credentialList}>
      <p>Each group of routes accepts only its own credentials. The reference names them for each route.</p>
      <Terms rows={rows} />
      <p>
        See also <a href="/docs/payers-and-agents#sign-in">the message that a wallet signs</a> and{' '}
        <a href="/docs/merchants#data">the tokens of merchants</a>.
      </p>
    </WholePage>
  )
}

/** Networks and tokens. */
export function Networks() {
  return (
    <WholePage section={networkList}>
      <p>
        Each network settles the tokens listed below it. All networks accept x402 versions 1 and 2.{' '}
        <a href="/supported">/supported</a> lists the networks that this service has configured.
      </p>
      {networkIds.map((id) => {
        const { title, name, testnet, assets } = networkRow(id)
        const prefixes = [
          prefixNetworks.sandbox.includes(id) ? '/sandbox' : null,
          prefixNetworks.v1.includes(id) ? '/v1/<API_KEY>' : null,
        ]
        return (
          <article className="network" key={id}>
            <h3>
              {title} <span className="tag">{testnet ? 'testnet' : 'real money'}</span>
            </h3>
            <Terms
              rows={[
                { term: 'CAIP-2 id', meaning: <Copied text={id} /> },
                { term: 'In version 1', meaning: <code>{name}</code> },
                ...assets.map(({ symbol, address }) => ({ term: symbol, meaning: <Copied text={displayAddress(address)} /> })),
                { term: 'Prefixes', meaning: <code>{prefixes.filter(Boolean).join(', ')}</code> },
              ]}
            />
          </article>
        )
      })}
    </WholePage>
  )
}

function Copied({ text }: { text: string }) {
  return (
    <span className="copied">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  )
}

const PAYMENT_LIMITS = [
  { term: 'Smallest payment', meaning: '100 atomic units (0.0001 USDC) by default.' },
  {
    term: 'Wait for an outcome',
    meaning: 'Settle answers within 20 seconds, on /flash within 3. After that: settlement_pending.',
  },
  { term: 'Pending payments', meaning: '200 per payer and network, on Solana 10. 500 per caller.' },
]

const REQUEST_LIMITS = [
  { term: 'Bodies', meaning: '16 KB on verify, settle and explain; 4 KB elsewhere.' },
  { term: 'Your data and settings', meaning: '20 requests per second per IP address. Pages have 1 to 100 rows.' },
  { term: 'Sign-in', meaning: '5 requests per second per IP address. A session token is valid for 15 minutes.' },
  { term: 'Webhooks', meaning: '10 per merchant. We retry for 24 hours and list deliveries for 30 days.' },
  { term: 'Catalog', meaning: 'Pages have 1 to 100 rows, with an offset of up to 10,000. Answers are cached for 5 minutes.' },
  { term: 'Catalog entries', meaning: 'They expire 90 days after the last payment.' },
]

const PLAN_LIMITS = (['sandbox', ...soldPlans] as const).map((name) => {
  const { settlements, verifications, requestsPerSecond, flash } = plans[name]
  const counts = `${settlements.toLocaleString('en')} settlements and ${verifications.toLocaleString('en')} verifications a month`
  const rate = `${requestsPerSecond} requests per second${name === 'sandbox' ? ', per IP address' : ''}`
  return { term: name, meaning: `${counts}. ${rate}.${flash ? ' Includes flash.' : ''}` }
})

/** Limits and quotas. */
export function Limits() {
  return (
    <>
      <DocsSection section={planLimits}>
        <p>
          Quotas reset with the UTC calendar month. We return units for failures on our side. Prices are on the{' '}
          <a href="/home#plans">home page</a>.
        </p>
        <Terms
          rows={[
            ...PLAN_LIMITS.map(({ term, meaning }) => ({ key: term, term: <span className="plan-name">{term}</span>, meaning })),
            {
              term: 'Credits',
              meaning: `1 per settlement sent, with ${VERIFICATIONS_PER_CREDIT} verifications. ${plans.agent.requestsPerSecond} requests per second.`,
            },
          ]}
        />
        <p>
          To get a larger plan, create a key and contact the operator of this service. Name the key by its prefix. Your keys and
          URLs stay the same.
        </p>
      </DocsSection>
      <DocsSection section={paymentLimits}>
        <Terms rows={PAYMENT_LIMITS} />
      </DocsSection>
      <DocsSection section={requestLimits}>
        <Terms rows={REQUEST_LIMITS} />
      </DocsSection>
    </>
  )
}

/** The response headers. */
export function Headers() {
  const rows = Object.entries(headers).map(([name, { about }]) => {
    return { id: `header-${name}`, term: <code>{name}</code>, meaning: <Prose text={about} /> }
  })
  return (
    <WholePage section={headerList}>
      <p>On public routes, browser code of any website can read these headers.</p>
      <Terms rows={rows} />
    </WholePage>
  )
}
