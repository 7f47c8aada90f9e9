import { PublicBar } from '@/components/public-bar'
import { chaptersOf } from '@/components/reference/chapters'
import { Navigation } from '@/components/reference/navigation'
import { OperationSection } from '@/components/reference/operation'
import { Reasons } from '@/components/reference/reasons'
import { Schemas } from '@/components/reference/schemas'
import type { AppConfig } from '@/server/app'
import type { OpenApiDocument } from '@/server/http/openapi/document'
import { Agents, Authentication, Examples, Limits, Networks, Start } from './guide'
import { Headers, Statuses } from './lists'
import { Merchants } from './merchants'
import { Webhooks } from './webhooks'

const GUIDE = [
  { anchor: 'start', title: 'Start' },
  { anchor: 'authentication', title: 'Authentication' },
  { anchor: 'networks', title: 'Networks and assets' },
  { anchor: 'limits', title: 'Limits' },
  { anchor: 'examples', title: 'Examples' },
  { anchor: 'merchants', title: 'Merchants: your data' },
  { anchor: 'webhooks', title: 'Webhooks' },
  { anchor: 'agents', title: 'Agents: buy, call, check' },
]

const LISTS = [
  { anchor: 'headers', title: 'Headers' },
  { anchor: 'errors', title: 'Errors' },
  { anchor: 'reasons', title: 'Reasons' },
  { anchor: 'objects', title: 'Objects' },
]

type Props = { baseUrl: string; tokens: AppConfig['merchantTokens']; document: OpenApiDocument }

/** The whole reference, for a base URL. */
export function Reference({ baseUrl, tokens, document }: Props) {
  const chapters = chaptersOf(document)
  const parts = document.components
  return (
    <div className="page docs">
      <PublicBar />
      <div className="columns">
        <Navigation before={GUIDE} chapters={chapters} after={LISTS} />
        <main>
          <Start baseUrl={baseUrl} />
          <Authentication baseUrl={baseUrl} />
          <Networks />
          <Limits />
          <Examples baseUrl={baseUrl} />
          <Merchants baseUrl={baseUrl} tokens={tokens} />
          <Webhooks />
          <Agents baseUrl={baseUrl} />
          {chapters.map(({ tag, anchor, about, entries }) => (
            <section className="chapter" id={anchor} key={anchor}>
              <h2>{tag}</h2>
              <p className="muted">{about}</p>
              {entries.map((entry) => (
                <OperationSection entry={entry} parts={parts} key={entry.id} />
              ))}
            </section>
          ))}
          <Headers />
          <Statuses />
          <section className="chapter" id="reasons">
            <h2>Reasons</h2>
            <p className="muted">
              The codes in <code>errorReason</code>, <code>invalidReason</code> and <code>error_reason</code>, with causes and
              remedies.
            </p>
            <Reasons />
          </section>
          <section className="chapter" id="objects">
            <h2>Objects</h2>
            <p className="muted">The objects in request and response bodies, named as in the OpenAPI document.</p>
            <Schemas parts={parts} />
          </section>
        </main>
      </div>
      <footer className="foot">
        <span>Quittance, an x402 facilitator</span>
        <a href="/openapi.json">OpenAPI document</a>
        <a href="/llms.txt">For agents</a>
        <a href="/health">Service health</a>
      </footer>
    </div>
  )
}
