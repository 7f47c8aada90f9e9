import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { ownerQuery, tenantQuery } from '../accounts/schemas'
import { ofSubject, tenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { knownNetwork, settledSymbol } from '../http/schemas'
import { adminCredentials, merchantCredentials } from '../sign-in/credentials'
import { readerOf } from '../sign-in/principal'
import { environmentOf } from '../x402/networks/networks'
import { adminScope, analyticsDays, analytics as analyticsOf, merchantScope, type Narrowing } from './analytics'
import { analytics } from './schemas'

const windowQuery = z.object({
  days: z
    .preprocess(
      (written) => analyticsDays.find((days) => String(days) === written) ?? written,
      z.literal([...analyticsDays], 'must be 7, 30 or 90').default(30),
    )
    .meta({ description: 'The number of completed UTC days.' }),
  environment: z.enum(['live', 'test'], 'must be live or test').optional().meta({
    description:
      '`live`: only mainnets. `test`: only testnets. If unset, and without `network`: `live` if this service settles on a mainnet, else all networks.',
  }),
  network: knownNetwork.optional().meta({ description: 'Only this network.' }),
  asset: settledSymbol
    .optional()
    .meta({ description: 'Only this token. If unset, counts are of all tokens and volumes of USDC.' }),
})

const NARROWED = { live: 'mainnet', test: 'testnet' } as const

/** What a query is narrowed to, so that test money never adds to real money. Throws `bad_request` for a network of the other environment. */
function narrowingOf(
  { networks }: Pick<App, 'networks'>,
  { environment, network }: Pick<z.output<typeof windowQuery>, 'environment' | 'network'>,
): Narrowing | undefined {
  const within = environment && NARROWED[environment]
  if (network && within && environmentOf(network) !== within) {
    throw new ServiceError('bad_request', `network must be one of the environment ${environment}`)
  }
  const settlesLive = [...networks.keys()].some((one) => environmentOf(one) === 'mainnet')
  return network ?? within ?? (settlesLive ? 'mainnet' : undefined)
}

const shared = {
  rate: signedInRate,
  responses: { 200: { description: 'The sums.', schema: analytics } },
  errors: [400, 401, 429, 503],
} as const

export const getMerchantAnalytics = endpoint({
  ...shared,
  id: 'getMerchantAnalytics',
  tag: 'Analytics',
  summary: "Show the analytics of a merchant's keys",
  description: 'Completed UTC days only. Excludes keys whose history is off.',
  credentials: merchantCredentials('analytics:read'),
  errors: [...shared.errors, 403],
  query: windowQuery,
  handler({ app, request, who, query: { days, asset, ...where } }) {
    const scope = merchantScope(ofSubject(who), readerOf({ kind: 'merchant', id: who }, clientIp(request)))
    return analyticsOf(app, scope, days, { within: narrowingOf(app, where), asset })
  },
})

export const getAnalytics = endpoint({
  ...shared,
  id: 'getAnalytics',
  tag: 'Admin',
  summary: 'Show the analytics of all settlements',
  description: 'Optionally of one owner, of one tenant, or of both.',
  credentials: adminCredentials,
  query: windowQuery.extend({ owner_id: ownerQuery, tenant_id: tenantQuery }),
  handler({ app, request, query: { days, asset, owner_id, tenant_id, ...where } }) {
    const scope = adminScope(tenantFilter(owner_id, tenant_id), readerOf({ kind: 'admin' }, clientIp(request)))
    return analyticsOf(app, scope, days, { within: narrowingOf(app, where), asset })
  },
})
