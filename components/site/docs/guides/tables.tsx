import { VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { plans, soldPlans } from '@/server/accounts/plans'
import type { AppConfig } from '@/server/app'
import { credentials } from '@/server/http/openapi/credential-texts'
import { headers } from '@/server/http/openapi/headers'
import { displayAddress } from '@/server/x402/addresses'
import { networkIds, networkRow, prefixNetworks } from '@/server/x402/networks/networks'
import { Tag } from '../../../ui/badge'
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

/** Each network with its names, tokens and prefixes. */
export function Networks() {
  return networkIds.map((id) => {
    const { title, name, testnet, assets } = networkRow(id)
    const prefixes = [
      prefixNetworks.sandbox.includes(id) ? '/sandbox' : null,
      prefixNetworks.v1.includes(id) ? '/v1/<API_KEY>' : null,
    ]
    return (
      <article className="rounded-(--radius) border bg-card px-[1.2rem] pt-4 pb-[1.1rem]" key={id}>
        <h3 className="mt-0 mb-[0.6rem] flex items-center gap-[0.6rem]">
          {title} <Tag>{testnet ? 'testnet' : 'real money'}</Tag>
        </h3>
        <Terms className="gap-[0.3rem] text-[0.94rem]">
          <Term name="CAIP-2 id">
            <Copied text={id} />
          </Term>
          <Term name="In version 1">
            <code>{name}</code>
          </Term>
          {assets.map(({ symbol, address }) => (
            <Term key={symbol} name={symbol}>
              <Copied text={displayAddress(address)} />
            </Term>
          ))}
          <Term name="Prefixes">
            <code>{prefixes.filter(Boolean).join(', ')}</code>
          </Term>
        </Terms>
      </article>
    )
  })
}

function Copied({ text }: { text: string }) {
  return (
    <span className="inline-flex max-w-full items-center [&_.copy]:-my-2">
      <code>{text}</code>
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
