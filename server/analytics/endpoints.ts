import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { ownerQuery, tenantQuery } from '../accounts/schemas'
import { ofSubject, tenantFilter } from '../accounts/tenant-queries'
import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { knownNetwork, settledSymbol } from '../http/schemas'
import { adminCredentials, merchantCredentials } from '../sign-in/credentials'
import { readerOf } from '../sign-in/principal'
import { adminScope, analyticsDays, analytics as analyticsOf, merchantScope } from './analytics'
import { analytics } from './schemas'

const windowQuery = z.object({
  days: z
    .preprocess(
      (written) => analyticsDays.find((days) => String(days) === written) ?? written,
      z.literal([...analyticsDays], 'must be 7, 30 or 90').default(30),
    )
    .meta({ description: 'The number of completed UTC days.' }),
  network: knownNetwork.optional().meta({ description: 'Only this network.' }),
  asset: settledSymbol
    .optional()
    .meta({ description: 'Only this token. If unset, counts are of all tokens and volumes of USDC.' }),
})

const shared = {
  rate: signedInRate,
  responses: { 200: { description: 'The sums.', schema: analytics } },
  errors: [400, 401, 429, 503],
} as const

export const getMerchantAnalytics = endpoint({
  ...shared,
  id: 'getMerchantAnalytics',
  tag: 'Analytics',
  summary: 'Show the analytics of a merchant’s keys',
  description: 'Completed UTC days only. Excludes keys whose history is off.',
  credentials: merchantCredentials,
  query: windowQuery,
  handler({ app, request, who, query: { days, network: within, asset } }) {
    const scope = merchantScope(ofSubject(who), readerOf({ kind: 'merchant', id: who }, clientIp(request)))
    return analyticsOf(app, scope, days, { within, asset })
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
  handler({ app, request, query: { days, network: within, asset, owner_id, tenant_id } }) {
    const scope = adminScope(tenantFilter(owner_id, tenant_id), readerOf({ kind: 'admin' }, clientIp(request)))
    return analyticsOf(app, scope, days, { within, asset })
  },
})
