import * as adminAnalytics from '../../app/admin/analytics/route'
import * as adminHistory from '../../app/admin/history/route'
import * as laneRelease from '../../app/admin/lanes/[id]/release/route'
import * as lanes from '../../app/admin/lanes/route'
import * as tenantRotate from '../../app/admin/tenants/[id]/rotate/route'
import * as tenant from '../../app/admin/tenants/[id]/route'
import * as tenants from '../../app/admin/tenants/route'
import * as exportedHistory from '../../app/api/export/route'
import * as merchantAnalytics from '../../app/api/me/analytics/route'
import * as merchantHistory from '../../app/api/me/history/route'
import * as ownTenant from '../../app/api/me/tenants/[id]/route'
import * as trpc from '../../app/api/trpc/[trpc]/route'
import * as agentBalance from '../../app/api/v1/agent/balance/route'
import * as agentConfig from '../../app/api/v1/agent/config/route'
import * as agentHistory from '../../app/api/v1/agent/history/route'
import * as agentKey from '../../app/api/v1/agent/keys/[id]/route'
import * as agentKeys from '../../app/api/v1/agent/keys/route'
import * as purchase from '../../app/api/v1/agent/purchase/route'
import * as siwe from '../../app/api/v1/auth/siwe/route'
import * as payerHistory from '../../app/api/v1/history/route'
import * as resources from '../../app/discovery/resources/route'
import * as search from '../../app/discovery/search/route'
import * as health from '../../app/health/route'
import * as llmsText from '../../app/llms.txt/route'
import * as metrics from '../../app/metrics/route'
import * as openApi from '../../app/openapi.json/route'
import * as root from '../../app/route'
import * as sandboxResources from '../../app/sandbox/discovery/resources/route'
import * as sandboxSearch from '../../app/sandbox/discovery/search/route'
import * as sandboxSettle from '../../app/sandbox/settle/route'
import * as sandboxSettlements from '../../app/sandbox/settlements/[id]/route'
import * as sandboxSupported from '../../app/sandbox/supported/route'
import * as sandboxVerify from '../../app/sandbox/verify/route'
import * as supported from '../../app/supported/route'
import * as keyedResources from '../../app/v1/[key]/discovery/resources/route'
import * as keyedSearch from '../../app/v1/[key]/discovery/search/route'
import * as flashResources from '../../app/v1/[key]/flash/discovery/resources/route'
import * as flashSearch from '../../app/v1/[key]/flash/discovery/search/route'
import * as flashSettle from '../../app/v1/[key]/flash/settle/route'
import * as flashSettlements from '../../app/v1/[key]/flash/settlements/[id]/route'
import * as flashSupported from '../../app/v1/[key]/flash/supported/route'
import * as flashVerify from '../../app/v1/[key]/flash/verify/route'
import * as keyedSettle from '../../app/v1/[key]/settle/route'
import * as keyedSettlements from '../../app/v1/[key]/settlements/[id]/route'
import * as keyedSupported from '../../app/v1/[key]/supported/route'
import * as keyedVerify from '../../app/v1/[key]/verify/route'
import * as keylessResources from '../../app/v1/discovery/resources/route'
import * as keylessSearch from '../../app/v1/discovery/search/route'
import * as keylessFlashResources from '../../app/v1/flash/discovery/resources/route'
import * as keylessFlashSearch from '../../app/v1/flash/discovery/search/route'
import * as keylessFlashSettle from '../../app/v1/flash/settle/route'
import * as keylessFlashSupported from '../../app/v1/flash/supported/route'
import * as keylessFlashVerify from '../../app/v1/flash/verify/route'
import * as keyless from '../../app/v1/route'
import * as keylessSettle from '../../app/v1/settle/route'
import * as keylessSupported from '../../app/v1/supported/route'
import * as keylessVerify from '../../app/v1/verify/route'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT } from './bodies'
import type { ApiRoute } from './route-table'

// What is opened by a key, a payment or a signature in the request itself may be asked from any website: a browser adds none of them by itself.
const open = { cors: 'open', bodyLimit: DEFAULT_BODY_LIMIT } as const
// What belongs to the pages, to accounts of the identity provider and to the administrator is theirs alone.
const closed = { cors: 'closed', bodyLimit: DEFAULT_BODY_LIMIT } as const
const payment = { cors: 'open', bodyLimit: PAYMENT_BODY_LIMIT } as const

/**
 * Every address of the API. The door calls the handlers named here itself, because a request costs Next ten times as much; `next` stands
 * for the others. This is the one file below `app/` that knows its route modules.
 */
export const routes: ApiRoute[] = [
  { pattern: '/', methods: root, ...open },
  { pattern: '/health', methods: health, ...open },
  { pattern: '/metrics', methods: metrics, ...closed },
  { pattern: '/openapi.json', methods: openApi, ...open },
  { pattern: '/llms.txt', methods: llmsText, ...open },
  { pattern: '/supported', methods: supported, ...open },
  { pattern: '/discovery/resources', methods: resources, ...open },
  { pattern: '/discovery/search', methods: search, ...open },
  { pattern: '/sandbox/supported', methods: sandboxSupported, ...open },
  { pattern: '/sandbox/verify', methods: sandboxVerify, ...payment },
  { pattern: '/sandbox/settle', methods: sandboxSettle, ...payment },
  { pattern: '/sandbox/settlements/:id', methods: sandboxSettlements, ...open },
  { pattern: '/sandbox/discovery/resources', methods: sandboxResources, ...open },
  { pattern: '/sandbox/discovery/search', methods: sandboxSearch, ...open },
  { pattern: '/v1', methods: keyless, ...open },
  { pattern: '/v1/supported', methods: keylessSupported, ...open },
  { pattern: '/v1/verify', methods: keylessVerify, ...payment },
  { pattern: '/v1/settle', methods: keylessSettle, ...payment },
  { pattern: '/v1/discovery/resources', methods: keylessResources, ...open },
  { pattern: '/v1/discovery/search', methods: keylessSearch, ...open },
  { pattern: '/v1/flash/supported', methods: keylessFlashSupported, ...open },
  { pattern: '/v1/flash/verify', methods: keylessFlashVerify, ...payment },
  { pattern: '/v1/flash/settle', methods: keylessFlashSettle, ...payment },
  { pattern: '/v1/flash/discovery/resources', methods: keylessFlashResources, ...open },
  { pattern: '/v1/flash/discovery/search', methods: keylessFlashSearch, ...open },
  { pattern: '/v1/:key/supported', methods: keyedSupported, ...open },
  { pattern: '/v1/:key/verify', methods: keyedVerify, ...payment },
  { pattern: '/v1/:key/settle', methods: keyedSettle, ...payment },
  { pattern: '/v1/:key/settlements/:id', methods: keyedSettlements, ...open },
  { pattern: '/v1/:key/discovery/resources', methods: keyedResources, ...open },
  { pattern: '/v1/:key/discovery/search', methods: keyedSearch, ...open },
  { pattern: '/v1/:key/flash/supported', methods: flashSupported, ...open },
  { pattern: '/v1/:key/flash/verify', methods: flashVerify, ...payment },
  { pattern: '/v1/:key/flash/settle', methods: flashSettle, ...payment },
  { pattern: '/v1/:key/flash/settlements/:id', methods: flashSettlements, ...open },
  { pattern: '/api/v1/auth/siwe', methods: siwe, ...open },
  { pattern: '/v1/:key/flash/discovery/resources', methods: flashResources, ...open },
  { pattern: '/v1/:key/flash/discovery/search', methods: flashSearch, ...open },
  { pattern: '/admin/tenants', methods: tenants, ...closed },
  { pattern: '/admin/tenants/:id', methods: tenant, ...closed },
  { pattern: '/admin/tenants/:id/rotate', methods: tenantRotate, ...closed },
  { pattern: '/admin/lanes', methods: lanes, ...closed },
  { pattern: '/admin/lanes/:id/release', methods: laneRelease, ...closed },
  { pattern: '/admin/history', methods: adminHistory, ...closed },
  { pattern: '/admin/analytics', methods: adminAnalytics, ...closed },
  { pattern: '/api/export', methods: exportedHistory, ...closed },
  { pattern: '/api/trpc/:procedure', methods: trpc, ...closed },
  { pattern: '/api/auth/*', methods: { GET: 'next', POST: 'next' }, ...closed },
  { pattern: '/api/me/analytics', methods: merchantAnalytics, ...closed },
  { pattern: '/api/me/history', methods: merchantHistory, ...closed },
  { pattern: '/api/me/tenants/:id', methods: ownTenant, ...closed },
  { pattern: '/api/v1/history', methods: payerHistory, ...open },
  { pattern: '/api/v1/agent/history', methods: agentHistory, ...open },
  { pattern: '/api/v1/agent/config', methods: agentConfig, ...open },
  { pattern: '/api/v1/agent/purchase', methods: purchase, ...open },
  { pattern: '/api/v1/agent/balance', methods: agentBalance, ...open },
  { pattern: '/api/v1/agent/keys', methods: agentKeys, ...open },
  { pattern: '/api/v1/agent/keys/:id', methods: agentKey, ...open },
]
