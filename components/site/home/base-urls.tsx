import type { ReactNode } from 'react'
import { plans } from '@/server/accounts/plans'
import { Tag } from '../../ui/badge'
import { Breaking } from '../../ui/breaking'
import { CopyButton } from '../../ui/copy-button'
import { Section } from '../frame/section'
import { whole } from './plans'
import { flashText, keyNetworks, type Served, titlesOf } from './served'

/** The three facilitator URLs, who can use each, and where. */
export function BaseUrls({ baseUrl, served }: { baseUrl: string; served: Served }) {
  return (
    <Section
      id="urls"
      title="The base URL is all you configure"
      about={
        <>
          Your middleware calls <code>/verify</code>, <code>/settle</code> and <code>/supported</code> below it. The key is part
          of the URL: keep it secret.
        </>
      }
    >
      <ul className="frame">
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
    </Section>
  )
}

function BaseUrl({ title, tag, url, children }: { title: string; tag: string; url: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-1 items-center gap-x-8 gap-y-[0.6rem] px-[1.35rem] py-4 not-first:border-t min-[56rem]:grid-cols-2">
      <div>
        <h3 className="flex items-center gap-[0.6rem] pb-[0.2rem]">
          {title} <Tag tone="good">{tag}</Tag>
        </h3>
        <p className="text-[0.92rem] leading-normal text-soft">{children}</p>
      </div>
      <div className="flex min-w-0 items-center justify-between gap-3 rounded-[10px] bg-code py-[0.45rem] pr-2 pl-[0.9rem]">
        <code className="min-w-0 text-[0.84rem] wrap-anywhere">
          <Breaking text={url} />
        </code>
        <CopyButton text={url} />
      </div>
    </li>
  )
}
