import { plans } from '@/server/accounts/plans'
import { whole } from './plans'

/** The three facilitator URLs and who can use each. */
export function BaseUrls({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="section" id="urls">
      <header>
        <h2>The base URL is all you configure</h2>
        <p className="muted">
          Set it in your middleware. It serves <code>/verify</code>, <code>/settle</code> and <code>/supported</code>.
        </p>
      </header>
      <div className="cards">
        <article className="card">
          <header>
            <h3>Sandbox</h3>
            <span className="tag live">open</span>
          </header>
          <code className="url">{baseUrl}/sandbox</code>
          <p>
            Base Sepolia and Solana devnet, free, without a key: {whole(plans.sandbox.settlements)} settlements a month per IP
            address.
          </p>
        </article>
        <article className="card">
          <header>
            <h3>Production</h3>
            <span className="tag live">with a key</span>
          </header>
          <code className="url">
            {baseUrl}
            <wbr />
            /v1/&lt;API_KEY&gt;
          </code>
          <p>
            Base and Solana with real money, and Base Sepolia. Create a key on the <a href="/dashboard/keys">dashboard</a>, get
            one from the operator, or let your agent buy one. The key is part of the URL, so every official client works. Keep the
            URL secret.
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
            On Base, responses take about 200 milliseconds, from preconfirmed blocks. Solana keeps its usual speed. For the Growth
            and Scale plans.
          </p>
        </article>
      </div>
    </section>
  )
}
