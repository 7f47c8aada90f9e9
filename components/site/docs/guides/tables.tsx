import { VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { plans, soldPlans } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { credentials } from '@/server/http/openapi/credential-texts'
import { headers } from '@/server/http/openapi/headers'
import { displayAddress } from '@/server/x402/addresses'
import { addressUrl } from '@/server/x402/networks/explorers'
import { networkIds, networkRow, prefixNetworks } from '@/server/x402/networks/networks'
import { Tag } from '../../../ui/badge'
import { cx } from '../../../ui/class-names'
import { Copyable } from '../../../ui/copyable'
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

/** The networks of real money, or the test networks: each with its tokens, names and base URLs. */
export function Networks({ testnet }: { testnet: boolean }) {
  const shown = networkIds.map((id) => ({ id, ...networkRow(id) })).filter((row) => row.testnet === testnet)
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
      {shown.map(({ id, title, name, assets, explorer }) => (
        <article className="frame flex flex-col" key={id}>
          <div className="flex flex-wrap items-center gap-x-2 border-b px-[1.1rem] py-3">
            <h3 className="mt-0 mr-auto">{title}</h3>
            {prefixNetworks.sandbox.includes(id) ? <Tag tone="good">Sandbox</Tag> : null}
            {prefixNetworks.v1.includes(id) ? <Tag>API key</Tag> : null}
          </div>
          <Terms className={FACTS}>
            {assets.map(({ symbol, address, decimals }) => (
              <Fact key={address} name={symbol} detail={`${decimals} decimals`} text={displayAddress(address)} />
            ))}
            <Fact name="CAIP-2 id" text={id} />
            <Fact name="x402 v1 name" text={name} />
            {assets.map((asset) =>
              'domain' in asset ? (
                <Term key={asset.address} name="EIP-712 name">
                  <span className="flex flex-wrap justify-between gap-x-3">
                    <Copyable text={asset.domain.name} shown={asset.domain.name} label="EIP-712 name" />
                    <Copyable text={asset.domain.version} shown={`version ${asset.domain.version}`} label="EIP-712 version" />
                  </span>
                </Term>
              ) : null,
            )}
          </Terms>
          {explorer ? (
            <p className="mt-auto flex flex-wrap gap-x-4 border-t px-[1.1rem] py-[0.6rem] text-[0.9rem]">
              {assets.map(({ symbol, address }) => (
                <a key={address} href={addressUrl(id, displayAddress(address))}>
                  {symbol} on {explorer.name}
                </a>
              ))}
            </p>
          ) : null}
        </article>
      ))}
    </div>
  )
}

// An address breaks near its middle.
const FACTS = cx(
  'gap-0! px-[1.1rem] text-[0.9rem] [--term:6.6rem] *:items-baseline *:gap-x-[0.6rem]! *:border-t *:py-[0.6rem] *:first:border-t-0',
  'min-[24rem]:*:grid-cols-[var(--term)_minmax(0,1fr)]',
  '[&_button>.wrap-anywhere]:max-w-[22ch] [&_dt]:font-normal [&_dt]:text-soft',
)

const DETAIL = "text-[0.82rem] before:content-['·_'] min-[24rem]:block min-[24rem]:before:content-none"

function Fact({ name, detail, text }: { name: string; detail?: string; text: string }) {
  const about = detail ? <span className={DETAIL}>{detail}</span> : null
  return (
    <Term
      name={
        <>
          {name} {about}
        </>
      }
    >
      <Copyable text={text} shown={text} label={name} fill />
    </Term>
  )
}

/** The base URL of each prefix, with what it serves. */
export function BaseUrlTerms({ baseUrl }: { baseUrl: string }) {
  return (
    <Terms framed className="[&_button]:py-1 [&_button]:text-[0.95rem] [&_svg]:size-4 [&_svg]:text-ink">
      {BASE_URLS.map(({ name, path, about, link }) => (
        <Term key={path} name={name}>
          <Copyable text={`${baseUrl}${path}`} shown={`${baseUrl}${path}`} label="URL" fill />
          <span className="text-[0.88rem] text-soft [&_a]:whitespace-nowrap">
            {about} {link}
          </span>
        </Term>
      ))}
    </Terms>
  )
}

/** The three prefixes of payments. */
export const BASE_URLS = [
  { name: 'Sandbox', path: '/sandbox', about: 'Testnets, free, no key.', link: <a href="/docs/networks">Networks</a> },
  {
    name: 'Production',
    path: '/v1/<API_KEY>',
    about: 'Real money and EVM testnets. Keep this URL secret.',
    link: <a href="/dashboard/keys?new=true">Create a key</a>,
  },
  {
    name: 'Flash',
    path: '/v1/<API_KEY>/flash',
    about: 'Answers before the block, on plans with Flash.',
    link: <a href="/docs/flash">What is Flash?</a>,
  },
] as const

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
