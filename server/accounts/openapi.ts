import { analytics } from '../analytics/schemas'
import { historyPage } from '../history/schemas'
import type { Operation } from '../http/openapi/operation'
import * as parameters from '../http/openapi/parameters'
import { refused } from '../http/openapi/responses'
import { bodies } from '../http/schemas'
import { lane, laneList } from '../operations/schemas'
import { tenant, tenantPage, tenantWithKey } from './schemas'

const ADMIN = ['admin'] as const

/** The operator’s routes; 503 where no admin key is configured. */
export const admin: readonly Operation[] = [
  {
    pattern: '/admin/tenants',
    method: 'POST',
    id: 'createTenant',
    tag: 'Admin',
    title: 'Make a tenant and its first key',
    about: 'The key is told in this answer and nowhere else.',
    credentials: ADMIN,
    parameters: [],
    body: { schema: bodies.newTenant, required: true },
    answers: { 201: { about: 'The tenant with its key.', schema: tenantWithKey }, ...refused(400, 401, 413, 503) },
  },
  {
    pattern: '/admin/tenants',
    method: 'GET',
    id: 'listTenants',
    tag: 'Admin',
    title: 'List tenants',
    about: 'Newest first.',
    credentials: ADMIN,
    parameters: parameters.tenantPage,
    answers: { 200: { about: 'A page.', schema: tenantPage }, ...refused(400, 401, 503) },
  },
  {
    pattern: '/admin/tenants/:id',
    method: 'GET',
    id: 'getTenant',
    tag: 'Admin',
    title: 'Read a tenant',
    about: 'Its settings and its keys, without their secrets.',
    credentials: ADMIN,
    parameters: [parameters.paths.tenant],
    answers: { 200: { about: 'The tenant.', schema: tenant }, ...refused(400, 401, 404, 503) },
  },
  {
    pattern: '/admin/tenants/:id',
    method: 'PATCH',
    id: 'changeTenant',
    tag: 'Admin',
    title: 'Change a tenant',
    about: 'Changes what is named and nothing else. Holds for every settlement from then on.',
    credentials: ADMIN,
    parameters: [parameters.paths.tenant],
    body: { schema: bodies.tenantChanges, required: true },
    answers: { 200: { about: 'The tenant as it is now.', schema: tenant }, ...refused(400, 401, 404, 413, 503) },
  },
  {
    pattern: '/admin/tenants/:id/rotate',
    method: 'POST',
    id: 'rotateKey',
    tag: 'Admin',
    title: 'Give a tenant a new key',
    about: 'Earlier keys work for `grace_seconds` more. 409 while the tenant is revoked.',
    credentials: ADMIN,
    parameters: [parameters.paths.tenant],
    body: { schema: bodies.rotation, required: false },
    answers: { 200: { about: 'The tenant with its new key.', schema: tenantWithKey }, ...refused(400, 401, 404, 409, 413, 503) },
  },
  {
    pattern: '/admin/lanes',
    method: 'GET',
    id: 'listLanes',
    tag: 'Admin',
    title: 'List signers with their nonces',
    about: 'Of EVM networks, as the ledger has them, beside what their chains know.',
    credentials: ADMIN,
    parameters: [],
    answers: { 200: { about: 'All of them.', schema: laneList }, ...refused(401, 503) },
  },
  {
    pattern: '/admin/lanes/:id/release',
    method: 'POST',
    id: 'releaseLane',
    tag: 'Admin',
    title: 'Put a quarantined signer back into service',
    about:
      'Says that you have looked at every transaction of the signer below `next_nonce`. 409 when the lane is not quarantined, or the chain says another nonce by now.',
    credentials: ADMIN,
    parameters: [parameters.paths.lane],
    body: { schema: bodies.release, required: true },
    answers: { 200: { about: 'The lane as it is now.', schema: lane }, ...refused(400, 401, 404, 409, 413, 503) },
  },
  {
    pattern: '/admin/history',
    method: 'GET',
    id: 'listHistory',
    tag: 'Admin',
    title: 'What everybody settled',
    about: 'The sandbox’s too. All filters that are given must hold.',
    credentials: ADMIN,
    parameters: [...parameters.historyPage, ...parameters.historyFilters],
    answers: { 200: { about: 'A page.', schema: historyPage }, ...refused(400, 401, 429, 503) },
  },
  {
    pattern: '/admin/analytics',
    method: 'GET',
    id: 'getAnalytics',
    tag: 'Admin',
    title: 'Sums of everybody’s settlements',
    about: 'Or of an owner’s, of a tenant’s, of a tenant of an owner.',
    credentials: ADMIN,
    parameters: [...parameters.analyticsWindow, ...parameters.ownership],
    answers: { 200: { about: 'The sums.', schema: analytics }, ...refused(400, 401, 429, 503) },
  },
  {
    pattern: '/metrics',
    method: 'GET',
    id: 'getMetrics',
    tag: 'Admin',
    title: 'Metrics for Prometheus',
    about:
      'What this process counts, and figures of the ledger a few seconds old. For everybody where `METRICS_PUBLIC=1` is set.',
    credentials: ADMIN,
    parameters: [],
    answers: { 200: { about: 'The metrics.', schema: { mediaType: 'text/plain' } }, ...refused(401, 503) },
  },
]
