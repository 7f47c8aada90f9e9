import type { ReactNode } from 'react'
import { plans } from '@/server/accounts/plans'
import { Breaking } from '../../ui/breaking'
import { CopyButton } from '../../ui/copy-button'
import { whole } from './plans'
import { flashText, keyNetworks, type Served, titlesOf } from './served'

/** The three facilitator URLs, who can use each, and where. */
export function BaseUrls({ baseUrl, served }: { baseUrl: string; served: Served }) {
  return (
    <section className="section" id="urls">
      <header>
        <h2>The base URL is all you configure</h2>
        <p className="muted">
          Your middleware calls <code>/verify</code>, <code>/settle</code> and <code>/supported</code> below it. The key is part
          of the URL: keep it secret.
        </p>
      </header>
      <ul className="urls">
        <BaseUrl title="Sandbox" tag="No key" url={`${baseUrl}/sandbox`}>
          {titlesOf(served.sandbox) || 'Test money'}, free: {whole(plans.sandbox.settlements)} settlements a month per IP address.
        </BaseUrl>
        <BaseUrl title="Production" tag="Every plan" url={`${baseUrl}/v1/<API_KEY>`}>
          {keyNetworks(served)} <a href="/dashboard/keys?new=true">Create a key</a>, or let your agent buy one.
        </BaseUrl>
        <BaseUrl title="Flash" tag="Growth, Scale" url={`${baseUrl}/v1/<API_KEY>/flash`}>
          {flashText(served)}
        </BaseUrl>
      </ul>
    </section>
  )
}

function BaseUrl({ title, tag, url, children }: { title: string; tag: string; url: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <h3>
          {title} <span className="tag live">{tag}</span>
        </h3>
        <p>{children}</p>
      </div>
      <div className="url">
        <code>
          <Breaking text={url} />
        </code>
        <CopyButton text={url} />
      </div>
    </li>
  )
}
