import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { addLocalNetwork } from '../../devnet/networks'
import { builtInNetworks } from '../../server/x402/networks/built-in-networks'
import { type EvmRow, USUAL } from '../../server/x402/networks/rows'
import { fundedKey } from '../support/chain/funded-key'
import { freshDatabase } from '../support/database/database'
import { fixture } from '../support/fixture'
import { startRpcProxy } from '../support/nodes/faulty-node'
import { innerPayload, requirements, signed } from '../support/payloads/payments'
import { ADMIN_KEY } from '../support/service/harness'
import { startServiceProcess } from '../support/service/process'
import { until } from '../support/until'
import { buyV1, buyV2, wallet } from './official-clients'

const PRICE = 1_000n

const rowOf = (slug: string): EvmRow => {
  const row: EvmRow | undefined = builtInNetworks.find(({ name }) => name === slug)
  if (!row) throw new Error(`${slug} is not built in`)
  return row
}

/** A network that no package knows, as an operator writes it. */
const LISTED = {
  chainId: 31_339,
  slug: 'local-dollars',
  title: 'Local Dollars',
  testnet: true,
  explorer: null,
  coin: { symbol: 'LOC', decimals: 18 },
  blockSeconds: 1,
  finalizedSeconds: 2,
  fees: 'eip1559' as const,
  depth: 2,
  assets: [
    {
      address: `0x${'d0'.repeat(20)}`,
      symbol: 'LUSD',
      decimals: 6,
      domain: { name: 'Local Dollar', version: '3' },
      method: 'eip3009',
    },
  ],
} as const
const { slug: name, ...listedFields } = LISTED
const listedRow: EvmRow = { ...USUAL, ...listedFields, name }

/** A service on Polygon, on XDC's testnet without base fees, on a listed network with signers of its own, and on a row that is wrong. */
const all = fixture(async () => {
  const rows = [rowOf('polygon'), rowOf('xdc-apothem'), listedRow] as const
  const start = (row: EvmRow) => startChain({ chainId: addLocalNetwork(row), blockTimeSeconds: 0.2 })
  const [database, polygon, apothem, listed] = await Promise.all([freshDatabase(), ...rows.map(start)] as const)
  if (!polygon || !apothem || !listed) throw new Error('a chain is missing')
  const [withoutBaseFee, otherChain] = await Promise.all([startRpcProxy(apothem.url), startRpcProxy(polygon.url)])
  withoutBaseFee.disturb(async ({ method, params }) => {
    if (method !== 'eth_getBlockByNumber') return undefined
    const { result } = await withoutBaseFee.forward(method, params)
    if (!result || typeof result !== 'object') return undefined
    return { result: { ...result, baseFeePerGas: undefined } }
  })
  // Its chain id is right, but the token of Sei's testnet is not there.
  otherChain.disturb(({ method }) => (method === 'eth_chainId' ? { result: '0x530' } : undefined))
  const shared = await fundedKey(polygon, apothem)
  const own = await fundedKey(listed)
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    ADMIN_KEY,
    KYT: 'off',
    RECHECK_MS: '500',
    POLYGON_RPC_URL: polygon.url,
    XDC_APOTHEM_RPC_URL: withoutBaseFee.url,
    SEI_TESTNET_RPC_URL: otherChain.url,
    EVM_SIGNER_KEYS: shared,
    EVM_SANDBOX_SIGNER_KEYS: await fundedKey(apothem, listed),
    // The official clients of these tests pay 0.001, less than Polygon's usual minimum.
    EVM_NETWORKS: JSON.stringify([
      { ...LISTED, rpc: listed.url, signerKeys: [own] },
      { chainId: 137, minPayment: 1_000 },
    ]),
  })
  // Polygon has one lane, the two served testnets have two each.
  await until(() => service.output().split('"to":"ready"').length > 5, 'all lanes to be ready')
  return {
    service,
    database,
    otherChain,
    polygon,
    apothem,
    listed,
    addresses: { shared: privateKeyToAccount(shared).address, own: privateKeyToAccount(own).address },
    async close() {
      await service.kill('SIGTERM')
      await Promise.all([withoutBaseFee.close(), otherChain.close(), database.close()])
      await Promise.all([polygon.stop(), apothem.stop(), listed.stop()])
    },
  }
})

const newRecipient = () => privateKeyToAccount(generatePrivateKey()).address

async function keyedUrl(): Promise<string> {
  const response = await fetch(`${all.service.url}/admin/tenants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ owner_id: 'owner', plan: 'growth' }),
  })
  const { api_key }: { api_key: string } = await response.json()
  return `${all.service.url}/v1/${api_key}`
}

async function get(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${all.service.url}${path}`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
  return response.json()
}

const sentBy = async (chain: Chain, hash: string | undefined) => chain.client.getTransaction({ hash: `0x${hash?.slice(2)}` })

test('v2: @x402/express and @x402/fetch pay on a built-in network that an RPC URL switched on', async () => {
  const [key, payTo] = [await wallet(all.polygon), newRecipient()]
  const paid = await buyV2({ facilitatorUrl: await keyedUrl(), key, payTo }, 'eip155:137')
  expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:137' } })
  expect(await all.polygon.tokens(payTo)).toBe(PRICE)
  // Polygon's validators take nothing below 25 gwei.
  expect(await sentBy(all.polygon, paid.receipt?.transaction)).toMatchObject({
    type: 'eip1559',
    maxPriorityFeePerGas: 30_000_000_000n,
  })
})

test('v1: x402-express and x402-fetch pay there by its version 1 name', async () => {
  const [key, payTo] = [await wallet(all.polygon), newRecipient()]
  const paid = await buyV1({ facilitatorUrl: await keyedUrl(), key, payTo }, 'polygon')
  expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: 'polygon' } })
  expect(await all.polygon.tokens(payTo)).toBe(PRICE)
})

test('a network without base fees gets transactions with a gas price', async () => {
  for (const facilitatorUrl of [`${all.service.url}/sandbox`, await keyedUrl()]) {
    const [key, payTo] = [await wallet(all.apothem), newRecipient()]
    const paid = await buyV2({ facilitatorUrl, key, payTo }, 'eip155:51')
    expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:51' } })
    expect(await all.apothem.tokens(payTo)).toBe(PRICE)
    expect(await sentBy(all.apothem, paid.receipt?.transaction)).toMatchObject({ type: 'legacy', chainId: 51 })
  }
})

test('a listed network is paid in its own token, by its own signers', async () => {
  const [key, payTo] = [await wallet(all.listed), newRecipient()]
  const [{ address, domain }] = LISTED.assets
  const price = { amount: '1000', asset: address, extra: { ...domain } }
  const paid = await buyV2({ facilitatorUrl: await keyedUrl(), key, payTo, price }, 'eip155:31339')
  expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:31339' } })
  expect(await all.listed.tokens(payTo)).toBe(PRICE)
  const { from } = await sentBy(all.listed, paid.receipt?.transaction)
  expect(from.toLowerCase()).toBe(all.addresses.own.toLowerCase())
})

test('/supported lists them in both versions, each with its asset and its finality', async () => {
  const { kinds, assets } = await get('/supported')
  const extra = { finality: expect.objectContaining({ success: 'included' }) }
  const facilitatorAddress = expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)
  expect(kinds).toEqual([
    ...['eip155:137', 'eip155:51', 'eip155:31339'].flatMap((network) => [
      { x402Version: 2, scheme: 'exact', network, extra: expect.objectContaining(extra) },
      { x402Version: 2, scheme: 'upto', network, extra: expect.objectContaining({ ...extra, facilitatorAddress }) },
      { x402Version: 2, scheme: 'batch-settlement', network, extra: expect.objectContaining(extra) },
    ]),
    ...['polygon', 'xdc-apothem', 'local-dollars'].map((network) => ({ x402Version: 1, scheme: 'exact', network })),
  ])
  expect(assets).toMatchObject([
    { network: 'eip155:137', symbol: 'USDC', decimals: 6, name: 'USD Coin', version: '2' },
    { network: 'eip155:51', symbol: 'USDC', name: 'USDC' },
    { network: 'eip155:31339', symbol: 'LUSD', decimals: 6, name: 'Local Dollar', version: '3' },
  ])
  expect(kinds).toContainEqual(
    expect.objectContaining({
      network: 'eip155:137',
      extra: {
        expiryMarginSeconds: 6,
        finality: {
          success: 'included',
          confirmations: { included: 1, safe: 16 },
          expectedSeconds: { preconfirmed: 0.2, included: 2, safe: 34, finalized: 6 },
        },
      },
    }),
  )
  const sandbox = await get('/sandbox/supported')
  expect(sandbox).toMatchObject({ kinds: { length: 8 } })
})

test('a row that contradicts its chain refuses its network with the reason, and leaves the others', async () => {
  expect(all.service.output()).toContain('network refused: its row contradicts its chain')
  expect(JSON.stringify(await get('/supported'))).not.toContain('eip155:1328')
  const settle = await fetch(`${all.service.url}/sandbox/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await signedOnSei()),
  })
  expect(settle.status).toBe(503)
  expect(await settle.json()).toMatchObject({
    error: expect.stringContaining('Sei testnet is refused on this facilitator: its configuration does not fit its chain'),
  })
})

test('an unknown network is a 403 that names what is served here, a malformed one a 400', async () => {
  const ask = async (network: string) => {
    const paid = await signedOnSei()
    const body = { ...paid, paymentRequirements: { ...paid.paymentRequirements, network } }
    const response = await fetch(`${all.service.url}/sandbox/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { error }: { error: string } = await response.json()
    return [response.status, error]
  }
  expect(await ask('eip155:42161')).toEqual([403, expect.stringMatching(/XDC Apothem.*Local Dollars/)])
  expect(await ask('celo')).toEqual([403, expect.stringContaining('network celo is not served here')])
  expect(await ask('no network!')).toEqual([400, expect.any(String)])
})

test('status and lanes of the console list the networks', async () => {
  const { networks } = await get('/status.json')
  expect(networks).toEqual(expect.arrayContaining([expect.objectContaining({ network: 'eip155:137', name: 'Polygon' })]))
  const lanes = JSON.stringify(await get('/admin/lanes'))
  for (const network of ['eip155:137', 'eip155:51', 'eip155:31339']) expect(lanes).toContain(network)
  expect(lanes).toContain(all.addresses.own)
})

/** A well-formed payment on Sei's testnet. */
async function signedOnSei() {
  const row = rowOf('sei-testnet')
  const [{ address, domain }] = row.assets
  const signedPayment = await signed(privateKeyToAccount(generatePrivateKey()), {}, addLocalNetwork(row))
  const paymentRequirements = requirements({ network: 'eip155:1328', asset: address, extra: { ...domain } })
  const payload = innerPayload(signedPayment)
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: paymentRequirements, payload },
    paymentRequirements,
  }
}
