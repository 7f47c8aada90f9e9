import { historyProgram, merchantCommands } from '@/app/docs/programs/snippets'
import { Snippet } from '@/components/snippet'
import type { AppConfig } from '@/server/app'

type Props = { baseUrl: string; tokens: AppConfig['merchantTokens'] }

/** How merchant programs read dashboard data. */
export function Merchants({ baseUrl, tokens }: Props) {
  return (
    <section className="chapter" id="merchants">
      <h2>Merchants: your data by API</h2>
      <p>
        <code>/api/me/…</code> returns the data of your dashboard. It takes an access token or ID token (JWT) of the identity
        provider you sign in with. We issue no tokens.
      </p>
      {tokens ? (
        <dl className="terms">
          <div>
            <dt>Issuer</dt>
            <dd>
              <code>{tokens.issuer}</code>
            </dd>
          </div>
          <div>
            <dt>Audience</dt>
            <dd>
              <code>{tokens.audience}</code>
            </dd>
          </div>
          <div>
            <dt>Subject</dt>
            <dd>
              your <code>sub</code>; it decides which keys a token can read
            </dd>
          </div>
        </dl>
      ) : (
        <p>
          <strong>No identity provider is configured here</strong>, so these routes answer 503.
        </p>
      )}
      <p>
        For an unattended program, register a client with your provider, sign in once (authorization code) and keep the refresh
        token. A client credentials token has its own subject: it reads only keys that the operator created for that subject. In
        the demo, <code>npm run -s token -- alice</code> prints a token for alice.
      </p>
      <Snippet name="settlements.mjs" code={historyProgram(baseUrl)} />
      <Snippet name="Your figures by hand: curl" code={merchantCommands(baseUrl)} />
    </section>
  )
}
