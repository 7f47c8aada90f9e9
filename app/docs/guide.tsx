import { merchantPrograms, sandboxSale, settleCommands } from '@/app/docs/programs/merchants'
import { agentCommands, agentProgram, payerProgram, signInMessage } from '@/app/docs/programs/snippets'
import { Prose } from '@/components/reference/prose'
import { Snippet } from '@/components/snippet'
import { credentials } from '@/server/http/openapi/credentials'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networks, prefixNetworks } from '@/server/x402/networks'

type Props = { baseUrl: string }

/** What the service is and where it is. */
export function Start({ baseUrl }: Props) {
  return (
    <section className="chapter first" id="start">
      <h1>API reference</h1>
      <p className="lead">
        Your server names a price, the caller signs a transfer of USDC, and Quittance judges it, puts it on the chain and pays the
        gas. Any x402 middleware works: all that you configure is the base URL.
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
            <code>{baseUrl}/v1/&lt;API_KEY&gt;/flash</code> answers at the preconfirmation; plans growth and scale
          </dd>
        </div>
      </dl>
      <p>
        Below each of these prefixes are <code>/verify</code>, <code>/settle</code>, <code>/supported</code>,{' '}
        <code>/settlements/{'{id}'}</code> and <code>/discovery/…</code>. The same for programs:{' '}
        <a href="/openapi.json">/openapi.json</a>, for agents: <a href="/llms.txt">/llms.txt</a>.
      </p>
      <p className="muted">
        Amounts are strings of atomic units (USDC has 6 decimals: <code>"1000000"</code> is 1 USDC), networks are CAIP-2 ids,
        times are ISO 8601 in UTC. Double slashes and a slash at the end change nothing. Every answer has an{' '}
        <code>x-request-id</code>.
      </p>
    </section>
  )
}

/** Who may ask, and how they say who they are. */
export function Authentication({ baseUrl }: Props) {
  return (
    <section className="chapter" id="authentication">
      <h2>Authentication</h2>
      <p>Each group of routes takes its own credential, and no other opens it.</p>
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
      <h3>The message that a wallet signs</h3>
      <p>
        EIP-4361, to the letter: the host and the origin of this service, an address with its EIP-55 capitals, an expiry at most a
        week ahead. Solana wallets sign the same text with “Solana account”. There is no nonce to ask for: a message is good until
        it expires, so keep it short-lived.
      </p>
      <Snippet name="Ethereum" code={signInMessage(baseUrl, 'Ethereum')} />
      <Snippet name="Solana" code={signInMessage(baseUrl, 'Solana')} />
    </section>
  )
}

/** What money moves where. */
export function Networks() {
  return (
    <section className="chapter" id="networks">
      <h2>Networks and assets</h2>
      <p>
        The token is USDC on each. <a href="/supported">/supported</a> says which networks are configured here; versions 1 and 2
        of x402 are taken on all of them.
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
                <dt>Below</dt>
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
  ['Sandbox', '1,000 settlements and 5,000 verifications a month, 5 requests per second, of each IP address'],
  ['Plans', 'settlements, verifications and requests per second by plan: see the home page'],
  ['Credits', 'one for each settlement that is sent, 5 verifications with each, 20 requests per second'],
  ['Minimum payment', '100 atomic units (0.0001 USDC), unless the operator set another'],
  ['Bodies', '16 KB on verify and settle, 4 KB elsewhere'],
  ['Waiting', 'settle answers within 20 seconds (below /flash 3), then with settlement_pending'],
  ['On their way', '200 payments of one payer on one network, 10 on Solana; 500 of one caller'],
  ['History, analytics, settings, agents', '20 requests per second of each IP address; pages of 1 to 100'],
  ['Webhooks', 'ten of one merchant; a message is tried for 24 hours and listed for 30 days'],
  ['Sessions', '5 exchanges per second of each IP address; a token is good for 15 minutes'],
  ['Discovery', 'pages of 1 to 100, offset up to 10,000, kept for 5 minutes; entries live 90 days after the last payment'],
]

/** How much of everything. */
export function Limits() {
  return (
    <section className="chapter" id="limits">
      <h2>Limits</h2>
      <p>
        Months are those of the UTC calendar. What we refuse for reasons of our own is given back.{' '}
        <a href="/home#plans">The plans</a> are on the home page.
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

/** Programs that run as they are, but for an address, a key or a file. */
export function Examples({ baseUrl }: Props) {
  const sale = sandboxSale(baseUrl)
  return (
    <section className="chapter" id="examples">
      <h2>Examples</h2>
      <p>
        All against the sandbox. For real money change the base URL and the network, and where a program names the token, its
        address and the name in <code>extra</code>: the <a href="/dashboard/start">quick start</a> fills all of it in.
      </p>
      {merchantPrograms.map(({ name, text }) => (
        <Snippet key={name} name={`A server that is paid: ${name}`} code={text(sale)} />
      ))}
      <Snippet name="A client that pays: fetch" code={payerProgram()} />
      <Snippet name="Verify and settle by hand: curl" code={settleCommands(sale)} />
    </section>
  )
}

/** From a wallet to an endpoint of its own. */
export function Agents({ baseUrl }: Props) {
  return (
    <section className="chapter" id="agents">
      <h2>Agents: buy, call, check</h2>
      <p>
        An agent with a wallet needs no account and nobody’s leave. It buys credits with one paid request, gets a facilitator URL,
        and asks for its balance with a signature. 1,000 credits cost 1 USDC. <a href="/llms.txt">/llms.txt</a> tells an agent all
        of this in its own kind of page.
      </p>
      <Snippet name="agent.mjs" code={agentProgram(baseUrl)} />
      <Snippet name="By hand: curl" code={agentCommands(baseUrl)} />
    </section>
  )
}
