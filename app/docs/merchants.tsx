import { historyProgram, merchantCommands } from '@/app/docs/programs/snippets'
import { Snippet } from '@/components/snippet'
import type { AppConfig } from '@/server/app'

type Props = { baseUrl: string; tokens: AppConfig['merchantTokens'] }

/** How a merchant's program reads what the dashboard shows. */
export function Merchants({ baseUrl, tokens }: Props) {
  return (
    <section className="chapter" id="merchants">
      <h2>Merchants: your figures, for programs</h2>
      <p>
        <code>/api/me/…</code> tells a program what the dashboard shows a person. It takes a JWT of the identity provider at which
        you sign in, an access token or an ID token; we give out none ourselves.
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
              yours: what <code>sub</code> says decides whose keys a token sees
            </dd>
          </div>
        </dl>
      ) : (
        <p>
          <strong>No identity provider is configured here</strong>, so these routes answer 503.
        </p>
      )}
      <p>
        A program that runs by itself signs in as you once (authorization code) and keeps the refresh token, with a client that
        your provider gives you for it. What a client signs in as by itself (client credentials) is a subject of its own: it sees
        the keys that the operator made for that subject, and none of yours. In the demo <code>npm run -s token -- alice</code>{' '}
        prints a token of alice.
      </p>
      <Snippet name="settlements.mjs" code={historyProgram(baseUrl)} />
      <Snippet name="Your figures by hand: curl" code={merchantCommands(baseUrl)} />
    </section>
  )
}
