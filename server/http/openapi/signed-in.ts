import { ownTenant } from '../../accounts/schemas'
import { analytics } from '../../analytics/schemas'
import { historyPage } from '../../history/schemas'
import { session } from '../../sign-in/schemas'
import { bodies } from '../schemas'
import type { Operation } from './operation'
import * as parameters from './parameters'
import { refused } from './responses'

const WALLET = ['siwe', 'session'] as const
const MERCHANT = ['merchant'] as const
const page = { 200: { about: 'A page.', schema: historyPage }, ...refused(400, 401, 429, 503) } as const
const sums = { 200: { about: 'The sums.', schema: analytics }, ...refused(400, 401, 429, 503) } as const

/** The routes of those who prove who they are. */
export const signedIn: readonly Operation[] = [
  {
    pattern: '/api/v1/auth/siwe',
    method: 'POST',
    id: 'openSession',
    tag: 'Sign-in',
    title: 'Exchange a signed message for a session',
    about:
      'Takes the two headers and no body. The token is good for 15 minutes on every route that takes a wallet; it does not open this one. 5 requests a second per address.',
    credentials: ['siwe'],
    parameters: parameters.siweHeaders,
    answers: { 200: { about: 'A session.', schema: session }, ...refused(401, 413, 429, 503) },
  },
  {
    pattern: '/api/me/history',
    method: 'GET',
    id: 'listMerchantHistory',
    tag: 'History',
    title: 'What a merchant’s keys settled',
    about: 'Settlements of all keys of the merchant.',
    credentials: MERCHANT,
    parameters: parameters.historyPage,
    answers: page,
  },
  {
    pattern: '/api/v1/history',
    method: 'GET',
    id: 'listPayerHistory',
    tag: 'History',
    title: 'What a wallet paid',
    about: 'Settlements whose payer is the wallet that signed in, the sandbox’s too. Never with `agents`.',
    credentials: WALLET,
    parameters: parameters.historyPage,
    answers: page,
  },
  {
    pattern: '/api/me/analytics',
    method: 'GET',
    id: 'getMerchantAnalytics',
    tag: 'Analytics',
    title: 'Sums of a merchant’s keys',
    about: 'Finished UTC days only. Keys whose history is off are left out.',
    credentials: MERCHANT,
    parameters: parameters.analyticsWindow,
    answers: sums,
  },
  {
    pattern: '/api/me/tenants/:id',
    method: 'PATCH',
    id: 'changeOwnTenant',
    tag: 'Settings',
    title: 'Switch the history of a key on or off',
    about: 'For every settlement from then on. The id is the `tenant_id` that every history entry carries.',
    credentials: MERCHANT,
    parameters: [parameters.paths.tenant],
    body: { schema: bodies.merchantChanges, required: false },
    answers: { 200: { about: 'The settings as they are now.', schema: ownTenant }, ...refused(400, 401, 404, 413, 429, 503) },
  },
]
