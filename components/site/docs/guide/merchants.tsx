import type { AppConfig } from '@/server/app'
import { historyProgram, merchantCommands } from '../../../client/programs/snippets'
import { CodeTabs } from '../../../ui/code/tabs'
import { DocsSection } from '../article'
import { guides } from '../pages'
import { Terms } from '../terms'

type Props = { baseUrl: string; tokens: AppConfig['merchantTokens'] }

const [keys, data, unattended] = guides.merchants.sections

/** Keys of merchants, and how their programs read the data of the dashboard. */
export function Merchants({ baseUrl, tokens }: Props) {
  return (
    <>
      <DocsSection section={keys}>
        <p>
          Create keys on the <a href="/dashboard/keys">dashboard</a>. Anyone with the URL of a key can use its quota, so limit
          what it can do:
        </p>
        <ul>
          <li>The networks that it can settle on.</li>
          <li>The addresses that it can pay. A stolen key is then useless to a thief.</li>
          <li>The largest amount of one payment.</li>
          <li>Whether it keeps history. Without history, its payments appear in no list, figure or catalog.</li>
        </ul>
        <p>
          Without an account, sign in with the wallet that gets paid, or call <code>POST /api/v1/keys</code> with its signed
          message. The free key pays only this wallet.
        </p>
        <p>When you rotate a secret, the old one works for one more day. You can update your servers one by one.</p>
      </DocsSection>
      <DocsSection section={data}>
        <p>
          <code>/api/me/…</code> returns the data of your dashboard. It takes an access token or ID token (JWT) of the identity
          provider you sign in with. We issue no tokens.
        </p>
        {tokens ? (
          <Terms
            rows={[
              { term: 'Issuer', meaning: <code>{tokens.issuer}</code> },
              { term: 'Audience', meaning: <code>{tokens.audience}</code> },
              { term: 'Subject', meaning: 'Your sub. It decides which keys a token can read.' },
            ]}
          />
        ) : (
          <p className="docs-note">
            <strong>No identity provider is configured here</strong>, so these routes answer 503.
          </p>
        )}
        <CodeTabs
          title="Your settlements"
          variants={[
            { label: 'TypeScript', name: 'settlements.mjs', code: historyProgram(baseUrl), language: 'typescript' },
            { label: 'curl', name: 'Your figures', code: merchantCommands(baseUrl), language: 'shellscript' },
          ]}
        />
      </DocsSection>
      <DocsSection section={unattended}>
        <p>
          Register a client with your provider, sign in once (authorization code), and keep the refresh token. A client
          credentials token has its own subject: it reads only keys that the operator created for that subject.
        </p>
        <p>
          In the demo, <code>npm run -s token -- alice</code> prints a token for alice.
        </p>
      </DocsSection>
    </>
  )
}
