import { merchantPrograms, sandboxSale, settleCommands } from '@/app/docs/programs/merchants'
import { agentCommands, agentProgram, payerProgram, signInMessage } from '@/app/docs/programs/snippets'
import { Prose } from '@/components/reference/prose'
import { Snippet } from '@/components/snippet'
import { credentials } from '@/server/http/openapi/credentials'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networks, prefixNetworks } from '@/server/x402/networks'

type Props = { baseUrl: string }

/** The service and its base URLs. */
export function Start({ baseUrl }: Props) {
  return (
    <section className="chapter first" id="start">
      <h1>API reference</h1>
      <p className="lead">
        Your server names a price and the caller signs a USDC transfer. Quittance verifies it, settles it on-chain and pays the
        gas. Any x402 middleware works: you configure only the base URL.
      </p>
      <dl className="terms">
        <div>
          <dt>Sandbox</dt>
          <dd>
            <code>{baseUrl}/sandbox</code> testnets, free, no key
          </dd>
        </div>
        <div>
          <dt>Production</dt>
          <dd>
            <code>{baseUrl}/v1/&lt;API_KEY&gt;</code> mainnets and Base Sepolia
          </dd>
        </div>
        <div>
          <dt>Flash</dt>
          <dd>
            <code>{baseUrl}/v1/&lt;API_KEY&gt;/flash</code> answers at preconfirmation; plans growth and scale
          </dd>
        </div>
      </dl>
      <p>
        Each of these prefixes has <code>/verify</code>, <code>/settle</code>, <code>/supported</code>,{' '}
        <code>/settlements/{'{id}'}</code> and <code>/discovery/…</code>. Machine-readable versions:{' '}
        <a href="/openapi.json">/openapi.json</a>, and <a href="/llms.txt">/llms.txt</a> for agents.
      </p>
      <p className="muted">
        Amounts are strings of atomic units (USDC has 6 decimals: <code>"1000000"</code> is 1 USDC), networks are CAIP-2 ids,
        times are ISO 8601 in UTC. We ignore double and trailing slashes. Every response has an <code>x-request-id</code>.
      </p>
    </section>
  )
}

/** The credentials of each group of routes. */
export function Authentication({ baseUrl }: Props) {
  return (
    <section className="chapter" id="authentication">
      <h2>Authentication</h2>
      <p>Each group of routes accepts only its own credentials.</p>
      <dl className="terms">
        {Object.entries(credentials).map(([name, { title, how }]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>
              <Prose text={how} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>The message a wallet signs</h3>
      <p>
        Strict EIP-4361: the host and origin of this service, an address with its EIP-55 checksum, an expiry at most a week ahead.
        Solana wallets sign the same text with “Solana account”. You choose the nonce. A message is valid until it expires, so
        keep it short-lived.
      </p>
      <Snippet name="Ethereum" code={signInMessage(baseUrl, 'Ethereum')} />
      <Snippet name="Solana" code={signInMessage(baseUrl, 'Solana')} />
    </section>
  )
}

/** Networks and tokens. */
export function Networks() {
  return (
    <section className="chapter" id="networks">
      <h2>Networks and assets</h2>
      <p>
        The token is USDC on every network. <a href="/supported">/supported</a> lists the networks configured here. All accept
        x402 versions 1 and 2.
      </p>
      {networkIds.map((id) => {
        const { title, name, asset, testnet } = networks[id]
        const prefixes = [
          prefixNetworks.sandbox.includes(id) ? '/sandbox' : null,
          prefixNetworks.v1.includes(id) ? '/v1/<API_KEY>' : null,
        ]
        return (
          <article className="network" key={id}>
            <h3>
              {title} <span className="tag">{testnet ? 'testnet' : 'real money'}</span>
            </h3>
            <dl className="terms">
              <div>
                <dt>CAIP-2 id</dt>
                <dd>
                  <code>{id}</code>
                </dd>
              </div>
              <div>
                <dt>In version 1</dt>
                <dd>
                  <code>{name}</code>
                </dd>
              </div>
              <div>
                <dt>USDC</dt>
                <dd>
                  <code>{displayAddress(asset)}</code>
                </dd>
              </div>
              <div>
                <dt>Prefixes</dt>
                <dd>
                  <code>{prefixes.filter(Boolean).join(', ')}</code>
                </dd>
              </div>
            </dl>
          </article>
        )
      })}
    </section>
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
    <section className="chapter" id="limits">
      <h2>Limits</h2>
      <p>
        Months are UTC calendar months. We return units for failures on our side. The <a href="/home#plans">plans</a> are on the
        home page.
      </p>
      <dl className="terms">
        {LIMITS.map(([what, limit]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{limit}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Complete programs; set an address or a key and run them. */
export function Examples({ baseUrl }: Props) {
  const sale = sandboxSale(baseUrl)
  return (
    <section className="chapter" id="examples">
      <h2>Examples</h2>
      <p>
        All examples use the sandbox. For real money, change the base URL, the network, and the token address and name if shown.
        The <a href="/dashboard/start">quick start</a> fills these in.
      </p>
      {merchantPrograms.map(({ name, text }) => (
        <Snippet key={name} name={`A server that is paid: ${name}`} code={text(sale)} />
      ))}
      <Snippet name="A client that pays: fetch" code={payerProgram()} />
      <Snippet name="Verify and settle by hand: curl" code={settleCommands(sale)} />
    </section>
  )
}

/** How an agent buys and uses credits. */
export function Agents({ baseUrl }: Props) {
  return (
    <section className="chapter" id="agents">
      <h2>Agents: buy, call, check</h2>
      <p>
        An agent with a wallet needs no account. It buys credits with one paid request, gets a facilitator URL and reads its
        balance with a signature. 1,000 credits cost 1 USDC. <a href="/llms.txt">/llms.txt</a> explains this to an agent.
      </p>
      <Snippet name="agent.mjs" code={agentProgram(baseUrl)} />
      <Snippet name="By hand: curl" code={agentCommands(baseUrl)} />
    </section>
  )
}
