import { nonceManager } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../devnet/chain'
import { fundedKey } from '../support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../support/database/database'
import { type OfficialFacilitator, startOfficialFacilitator } from '../support/nodes/official-facilitator'
import { type ServiceProcess, startServiceProcess } from '../support/service/process'
import { buyV1, buyV2, wallet } from './official-clients'

let chain: Chain
let database: FreshDatabase
let official: OfficialFacilitator
let service: ServiceProcess
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const key = await fundedKey(chain)
  official = await startOfficialFacilitator({ chainId: 84532, chainUrl: chain.url, key, nonceManager })
  const env = { DATABASE_URL: database.url, BASE_SEPOLIA_RPC_URL: chain.url, REMOTE_SANDBOX_URL: official.url }
  service = await startServiceProcess(env, '')
})
afterAll(async () => {
  await service.kill('SIGTERM')
  await Promise.all([database.close(), chain.stop(), official.close()])
})

describe('unmodified official clients through a tier that the official facilitator serves', () => {
  const payTo = () => privateKeyToAccount(generatePrivateKey()).address
  const facilitatorUrl = () => `${service.url}/sandbox`

  test('v2: @x402/express sells, @x402/fetch pays, and the official signer moves USDC', async () => {
    const [key, to] = [await wallet(chain), payTo()]
    expect(await buyV2({ facilitatorUrl: facilitatorUrl(), key, payTo: to }, 'eip155:84532')).toMatchObject({ status: 200 })
    expect(await chain.tokens(to)).toBe(1_000n)
    expect(await chain.client.getTransactionCount({ address: official.signer })).toBe(1)
  })

  test('v1: x402-express sells and x402-fetch pays, USDC moves', async () => {
    const [key, to] = [await wallet(chain), payTo()]
    expect(await buyV1({ facilitatorUrl: facilitatorUrl(), key, payTo: to }, 'base-sepolia')).toMatchObject({ status: 200 })
    expect(await chain.tokens(to)).toBeGreaterThan(0n)
  })
})
