import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FacilitatorProxy, startFacilitatorProxy } from './facilitator-proxy'
import { fixture } from './fixture'
import { startTwoNetworks, wallet } from './official-clients'
import { newAddress } from './purchases'
import { type RpcProxy, startRpcProxy } from './rpc-proxy'

// `npm run test:long -- python` installs the package x402 into this environment.
const PYTHON = path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'quittance', 'python', 'bin', 'python')
const PROGRAM = path.join(import.meta.dirname, 'python', 'pay.py')
const PRICE = 1_000n

let node: RpcProxy
const all = fixture(async () => {
  const networks = await startTwoNetworks(async (sepolia) => {
    node = await startRpcProxy(sepolia.url)
    return { BASE_SEPOLIA_RPC_URL: node.url, SETTLE_DEADLINE_MS: '2000' }
  })
  return { ...networks, close: () => networks.close().then(() => node.close()) }
})

let facilitator: FacilitatorProxy
beforeEach(async () => {
  facilitator = await startFacilitatorProxy(`${all.service.url}/sandbox`)
})
afterEach(async () => {
  node.calm()
  await facilitator.close()
})

const chain = () => all.networks.sepolia.chain
const buy = async (flow: string) => {
  const [key, payTo] = [await wallet(chain()), newAddress()]
  const { stdout } = await promisify(execFile)(PYTHON, [PROGRAM, facilitator.url, key, payTo, flow])
  return { payTo, ...JSON.parse(stdout) }
}

describe.each(['authorization', 'upfront'])('official Python servers and clients of the flow %s', (flow) => {
  test('sell, and hand the buyer the amount, the log and the signed receipt', async () => {
    const { payTo, status, body, receipt } = await buy(flow)
    expect([status, body, await chain().tokens(payTo)]).toEqual([200, { weather: 'sunny' }, PRICE])
    const { transaction, amount, extra, extensions } = receipt
    const keys = createRemoteJWKSet(new URL(`${all.service.url}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(extensions['settlement-receipt'].receipt, keys)
    expect(payload).toMatchObject({ transaction, amount, pay_to: payTo, log_index: extra.logIndex })
  })

  test('are paid once and serve once when the node answers late', async () => {
    node.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
    facilitator.onAnswer(({ route }) => void (route === 'settle' && node.calm()))
    const { payTo, status } = await buy(flow)
    expect(status).toBe(200)
    expect(facilitator.passed.filter(({ route }) => route === 'settle')).toHaveLength(2)
    expect(await chain().tokens(payTo)).toBe(PRICE)
  })
})
