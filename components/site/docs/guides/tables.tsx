import { Fragment, type ReactNode } from 'react'
import { VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { plans, soldPlans } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { credentials } from '@/server/http/openapi/credential-texts'
import { headers } from '@/server/http/openapi/headers'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networkRow, prefixNetworks } from '@/server/x402/networks/networks'
import { Breaking } from '../../../ui/breaking'
import { cx } from '../../../ui/class-names'
import { CopyButton } from '../../../ui/copy-button'
import { Prose } from '../reference/prose'
import { Term, Terms } from '../terms'

/** The credentials of each group of routes. */
export function Credentials() {
  return (
    <Terms>
      {Object.values(credentials).map(({ title, how }) => (
        <Term key={title} name={title}>
          <Prose text={how} />
        </Term>
      ))}
    </Terms>
  )
}

/** The networks of real money, or the test networks: each with its names, tokens and prefixes. */
export function Networks({ testnet }: { testnet: boolean }) {
  const shown = networkIds.map((id) => ({ id, ...networkRow(id) })).filter((row) => row.testnet === testnet)
  return shown.map(({ id, title, name, assets, explorer }) => {
    const prefixes = [
      ...(prefixNetworks.sandbox.includes(id) ? ['/sandbox'] : []),
      ...(prefixNetworks.v1.includes(id) ? ['/v1/<API_KEY>'] : []),
    ]
    return (
      <article className="rounded-(--radius) border bg-card px-[1.2rem] pt-4 pb-[1.1rem] not-last:mb-4" key={id}>
        <h3 className="-mx-[1.2rem] mt-0 mb-3 border-b px-[1.2rem] pb-3">{title}</h3>
        <Terms className={FACTS}>
          <Term name="CAIP-2 id">
            <Copied text={id} />
          </Term>
          <Term name="Version 1 name">
            <Short>
              <Copied text={name} />
            </Short>
          </Term>
          {assets.map((asset) => (
            <Fragment key={asset.address}>
              <Term name={asset.symbol}>
                <Copied text={displayAddress(asset.address)} />
              </Term>
              {'domain' in asset ? (
                <Term name="EIP-712 name">
                  <Short>
                    <Copied text={asset.domain.name} /> version <code>{asset.domain.version}</code>
                  </Short>
                </Term>
              ) : null}
              <Term name="Decimals">
                <Short>
                  <code>{asset.decimals}</code>
                </Short>
              </Term>
            </Fragment>
          ))}
          <Term name="Prefixes">
            <Short>
              {prefixes.map((prefix) => (
                <code key={prefix} className="mr-3 whitespace-nowrap">
                  {prefix}
                </code>
              ))}
            </Short>
          </Term>
          {explorer ? (
            <Term name="Explorer">
              <Short>
                <a href={`${explorer.url}${explorer.suffix ?? ''}`}>{explorer.name}</a>
              </Short>
            </Term>
          ) : null}
        </Terms>
      </article>
    )
  })
}

// A short value stands beside its name on a phone too.
const FACTS = cx(
  'gap-[0.45rem] text-[0.94rem] [--term:10rem] max-[42rem]:[&>div:has([data-short])]:grid-cols-[8.5rem_minmax(0,1fr)]',
  '[&_dd]:text-ink [&_dd_code]:bg-transparent [&_dd_code]:p-0 [&_dt]:font-normal [&_dt]:text-soft',
)

function Short({ children }: { children: ReactNode }) {
  return <span data-short>{children}</span>
}

/** The base URL of each prefix, with what it serves. */
export function BaseUrls({ baseUrl }: { baseUrl: string }) {
  return (
    <Terms framed>
      {BASE_URLS.map(({ name, path, about }) => (
        <Term key={path} name={name}>
          <Copied text={`${baseUrl}${path}`} />
          <span className="block">{about}</span>
        </Term>
      ))}
    </Terms>
  )
}

const BASE_URLS = [
  { name: 'Sandbox', path: '/sandbox', about: 'Testnets, free, no key' },
  { name: 'Production', path: '/v1/<API_KEY>', about: 'Mainnets and EVM testnets' },
  { name: <a href="/docs/flash">Flash</a>, path: '/v1/<API_KEY>/flash', about: 'Answers at preconfirmation' },
] as const

function Copied({ text }: { text: string }) {
  return (
    <span className="inline-flex max-w-full items-center align-middle [&_.copy]:-my-2">
      <code>
        <Breaking text={text} />
      </code>
      <CopyButton text={text} />
    </span>
  )
}

/** What each plan includes, and what a credit buys. */
export function Plans() {
  return (
    <Terms>
      {(['sandbox', ...soldPlans] as const).map((name) => {
        const { settlements, verifications, requestsPerSecond, flash } = plans[name]
        const counts = `${settlements.toLocaleString('en')} settlements and ${verifications.toLocaleString('en')} verifications a month`
        const rate = `${requestsPerSecond} requests per second${name === 'sandbox' ? ', per IP address' : ''}`
        return (
          <Term key={name} name={<span className="capitalize">{name}</span>}>
            {`${counts}. ${rate}.${flash ? ' Includes flash.' : ''}`}
          </Term>
        )
      })}
      <Term name="Credits">
        {`1 per settlement sent, with ${VERIFICATIONS_PER_CREDIT} verifications. ${plans.agent.requestsPerSecond} requests per second.`}
      </Term>
    </Terms>
  )
}

/** The response headers. */
export function Headers() {
  return (
    <Terms>
      {Object.entries(headers).map(([name, { about }]) => (
        <Term key={name} id={`header-${name}`} name={<code>{name}</code>}>
          <Prose text={about} />
        </Term>
      ))}
    </Terms>
  )
}

/** What the tokens of merchants must contain. */
export function IdentityProvider({ tokens }: { tokens: AppConfig['merchantTokens'] }) {
  if (!tokens) {
    return (
      <p className="rounded-[10px] bg-warn-wash px-[1.1rem] py-[0.8rem]">
        <strong>No identity provider is configured here</strong>, so these routes answer 503.
      </p>
    )
  }
  return (
    <Terms>
      <Term name="Issuer">
        <code>{tokens.issuer}</code>
      </Term>
      <Term name="Audience">
        <code>{tokens.audience}</code>
      </Term>
      <Term name="Subject">Your sub. It decides which keys a token can read.</Term>
    </Terms>
  )
}
