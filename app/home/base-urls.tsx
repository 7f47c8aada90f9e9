import { plans } from '@/server/accounts/plans'
import { whole } from './plans'

/** The three facilitator URLs, and who may use each. */
export function BaseUrls({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="section" id="urls">
      <header>
        <h2>The base URL is all you configure</h2>
        <p className="muted">
          Give it to your middleware. Below it are <code>/verify</code>, <code>/settle</code> and <code>/supported</code>.
        </p>
      </header>
      <div className="cards">
        <article className="card">
          <header>
            <h3>Sandbox</h3>
            <span className="tag live">open now</span>
          </header>
          <code className="url">{baseUrl}/sandbox</code>
          <p>
            Base Sepolia and Solana devnet, free, no key: {whole(plans.sandbox.settlements)} settlements a month per IP address.
          </p>
        </article>
        <article className="card">
          <header>
            <h3>Production</h3>
            <span className="tag live">open with a key</span>
          </header>
          <code className="url">
            {baseUrl}
            <wbr />
            /v1/&lt;API_KEY&gt;
          </code>
          <p>
            Base and Solana, for real money, and Base Sepolia. You make a key on the <a href="/dashboard/keys">dashboard</a>, the
            operator of this facilitator makes you one, or your agent buys one; it is part of the URL, so every official client
            works as it is. Keep the URL secret.
          </p>
        </article>
        <article className="card">
          <header>
            <h3>Flash</h3>
            <span className="tag live">growth, scale</span>
          </header>
          <code className="url">
            {baseUrl}
            <wbr />
            /v1/&lt;API_KEY&gt;
            <wbr />
            /flash
          </code>
          <p>
            On Base answers come after about 200 milliseconds, from preconfirmed blocks; Solana is as quick as it always is. For
            the plans Growth and Scale.
          </p>
        </article>
      </div>
    </section>
  )
}
