import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { afterEach, beforeEach } from 'vitest'
import { fixture } from '../support/fixture'
import { type RpcProxy, startRpcProxy } from '../support/nodes/faulty-node'
import { type FacilitatorProxy, startFacilitatorProxy } from './facilitator-proxy'
import { startTwoNetworks } from './official-clients'

/**
 * The service for the flows of official servers: behind a node that can hide receipts, with a deadline of two seconds, and for each test
 * behind a proxy that notes what servers send.
 */
export function officialFlows() {
  let node: RpcProxy
  let facilitator: FacilitatorProxy
  const all = fixture(async () => {
    const networks = await startTwoNetworks(async (sepolia) => {
      node = await startRpcProxy(sepolia.url)
      return { BASE_SEPOLIA_RPC_URL: node.url, SETTLE_DEADLINE_MS: '2000' }
    })
    return { ...networks, close: () => networks.close().then(() => node.close()) }
  })
  const open = async () => {
    facilitator = await startFacilitatorProxy(`${all.service.url}/sandbox`)
  }
  beforeEach(open)
  afterEach(async () => {
    node.calm()
    await facilitator.close()
  })
  return {
    chain: () => all.networks.sepolia.chain,
    node: () => node,
    facilitator: () => facilitator,
    /** Ends the proxy with all that servers have open, and starts another. */
    reopen: () => facilitator.close().then(open),
    withhold: () => node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined)),
    /** The node reports receipts again as soon as the first answer to a settle passes. */
    calmAfterSettle: () => facilitator.onAnswer(({ route }) => void (route === 'settle' && node.calm())),
    settles: () => facilitator.passed.filter(({ route }) => route === 'settle'),
    /** The content of a signed receipt, checked against the published keys. */
    async receiptIn(extensions: Record<string, { info: { receipt: string } }>): Promise<JWTPayload> {
      const keys = createRemoteJWKSet(new URL(`${all.service.url}/.well-known/jwks.json`))
      return (await jwtVerify(extensions['settlement-receipt']?.info.receipt ?? '', keys)).payload
    },
  }
}
