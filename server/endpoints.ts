import { sharedDocuments } from '../components/site/docs/documents'
import { getLlmsText } from '../components/site/docs/llms'
import { getSearchIndex } from '../components/site/docs/search-index'
import * as accounts from './accounts/endpoints'
import * as walletKeys from './accounts/wallet-endpoints'
import * as agents from './agents/endpoints'
import * as purchase from './agents/purchase-endpoints'
import * as analytics from './analytics/endpoints'
import * as discovery from './discovery/endpoints'
import * as explaining from './explain/endpoints'
import * as history from './history/endpoints'
import { exportHistory } from './history/exports'
import { type Endpoint, nextEndpoint } from './http/endpoint'
import * as operations from './operations/endpoints'
import { getStatus } from './operations/status/endpoints'
import * as payments from './payments/endpoints'
import * as signIn from './sign-in/endpoints'
import { trpc } from './trpc/handler'

export { sharedDocuments }

/** Sign-in with the identity provider: next-auth serves it and needs Next. */
const auth = [nextEndpoint('GET', '/api/auth/*'), nextEndpoint('POST', '/api/auth/*')]

/** Preview pictures of public pages, which need Next to draw. */
const pictures = [nextEndpoint('GET', '/pictures/:name'), nextEndpoint('GET', '/catalog/resource/picture')]

/** Every endpoint, in the order of the reference. Server, OpenAPI document and reference all read this list. */
export const endpoints: readonly Endpoint[] = [
  ...Object.values(payments.verify),
  ...Object.values(payments.settle),
  ...Object.values(payments.getSettlements),
  ...Object.values(payments.findSettlements),
  ...Object.values(payments.lookUpSigned),
  ...Object.values(explaining.explain),
  ...Object.values(payments.getSupported),
  payments.getSupportedEverywhere,
  payments.getReceiptKeys,
  discovery.listResources,
  discovery.searchResources,
  ...Object.values(discovery.listResourcesUnder),
  ...Object.values(discovery.searchResourcesUnder),
  walletKeys.createWalletKey,
  walletKeys.listWalletKeysOf,
  walletKeys.revokeKeyOfWallet,
  purchase.offerCredits,
  purchase.buyCredits,
  agents.getBalance,
  agents.createAgentKey,
  agents.revokeAgentKey,
  agents.changeAgentConfig,
  history.listAgentHistory,
  signIn.signIn,
  history.listMerchantHistory,
  history.listPayerHistory,
  analytics.getMerchantAnalytics,
  accounts.changeOwnTenant,
  accounts.createTenant,
  accounts.listTenants,
  accounts.getTenant,
  accounts.changeTenant,
  accounts.rotateKey,
  operations.listLanes,
  operations.releaseQuarantined,
  history.listHistory,
  analytics.getAnalytics,
  operations.getMetrics,
  operations.goToOperator,
  operations.getHealth,
  getStatus,
  operations.getOpenApi,
  getLlmsText,
  ...Object.values(accounts.keyless).flatMap(({ GET, POST }) => [GET, POST]),
  exportHistory,
  getSearchIndex,
  explaining.explainOnPage,
  ...Object.values(trpc),
  ...auth,
  ...pictures,
]
