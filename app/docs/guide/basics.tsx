import { guides } from '@/app/docs/pages'
import { DocsSection } from '@/components/docs/article'
import { Terms } from '@/components/docs/terms'
import { Prose } from '@/components/reference/prose'
import { credentials } from '@/server/http/openapi/credentials'
import { headers } from '@/server/http/openapi/headers'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networkRow, prefixNetworks } from '@/server/x402/networks'

const [credentialList] = guides.authentication.sections
const [networkList] = guides.networks.sections
const [limitList] = guides.limits.sections
const [headerList] = guides.headers.sections

/** The credentials of each group of routes. */
export function Authentication() {
  const rows = Object.values(credentials).map(({ title, how }) => ({ term: title, meaning: <Prose text={how} /> }))
  return (
    <DocsSection section={credentialList}>
      <p>Each group of routes accepts only its own credentials. Each route in the reference names them.</p>
      <Terms rows={rows} />
      <p>
        The text that a wallet signs is on the page of <a href="/docs/payers-and-agents#sign-in">payers and agents</a>. Tokens of
        merchants are on the page of <a href="/docs/merchants#data">merchants</a>.
      </p>
    </DocsSection>
  )
}

/** Networks and tokens. */
export function Networks() {
  return (
    <DocsSection section={networkList}>
      <p>
        Each network settles the tokens that are listed here. All accept x402 versions 1 and 2.{' '}
        <a href="/supported">/supported</a> lists the networks that are configured here.
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
                { term: 'CAIP-2 id', meaning: <code>{id}</code> },
                { term: 'In version 1', meaning: <code>{name}</code> },
                ...assets.map(({ symbol, address }) => ({ term: symbol, meaning: <code>{displayAddress(address)}</code> })),
                { term: 'Prefixes', meaning: <code>{prefixes.filter(Boolean).join(', ')}</code> },
              ]}
            />
          </article>
        )
      })}
    </DocsSection>
  )
}

const LIMITS: [what: string, limit: string][] = [
  ['Sandbox', '1,000 settlements and 5,000 verifications a month, 5 requests per second, per IP address'],
  ['Plans', 'settlements, verifications and requests per second by plan: see the home page'],
  ['Credits', 'one per settlement sent, 5 verifications per credit, 20 requests per second'],
  ['Minimum payment', '100 atomic units (0.0001 USDC) by default'],
  ['Bodies', '16 KB on verify and settle, 4 KB elsewhere'],
  ['Wait time', 'settle answers within 20 seconds (on /flash 3), then with settlement_pending'],
  ['Pending payments', '200 per payer and network, 10 on Solana; 500 per caller'],
  ['History, analytics, settings, agents', '20 requests per second per IP address; pages of 1 to 100'],
  ['Webhooks', 'ten per merchant; retries for 24 hours, listed for 30 days'],
  ['Sessions', '5 exchanges per second per IP address; a token is valid for 15 minutes'],
  ['Discovery', 'pages of 1 to 100, offset up to 10,000, cached for 5 minutes; entries expire 90 days after the last payment'],
]

/** Limits and quotas. */
export function Limits() {
  return (
    <DocsSection section={limitList}>
      <p>
        Months are UTC calendar months. We return units for failures on our side. The <a href="/home#plans">plans</a> are on the
        home page.
      </p>
      <p id="plans">
        The operator of this service moves an account to a larger plan. Create a key first, then ask and name the key by its
        prefix. Your keys and URLs stay the same.
      </p>
      <Terms rows={LIMITS.map(([term, meaning]) => ({ term, meaning }))} />
    </DocsSection>
  )
}

/** The response headers. */
export function Headers() {
  const rows = Object.entries(headers).map(([name, { about }]) => {
    return { id: `header-${name}`, term: <code>{name}</code>, meaning: <Prose text={about} /> }
  })
  return (
    <DocsSection section={headerList}>
      <p>On public routes, scripts of any website can read them.</p>
      <Terms rows={rows} />
    </DocsSection>
  )
}
