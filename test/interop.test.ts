import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { HTTPFacilitatorClient } from '@x402/core/http'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi } from '../devnet/abi'
import { type Chain, startChain } from '../devnet/chain'
import { startMerchant } from '../devnet/merchant'
import { createPayer } from '../devnet/payer'
import { type FreshDatabase, freshDatabase } from './database'
import { type ServiceProcess, startServiceProcess } from './process'

const PAY_TO = privateKeyToAccount(generatePrivateKey()).address

let chain: Chain
let database: FreshDatabase
let service: ServiceProcess
beforeAll(async () => {
  ;[database, chain] = await Promise.all([freshDatabase(), startChain({ chainId: 84532, blockTimeSeconds: 0.2 })])
  const signer = generatePrivateKey()
  await chain.fund(privateKeyToAccount(signer).address, 10n ** 19n)
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    BASE_SEPOLIA_RPC_URL: chain.url,
    EVM_SANDBOX_SIGNER_KEYS: signer,
  })
})
afterAll(async () => {
  await service.kill('SIGTERM')
  await Promise.all([database.close(), chain.stop()])
})

async function wallet(): Promise<Hex> {
  const key = generatePrivateKey()
  await chain.mint(privateKeyToAccount(key).address, 1_000_000n)
  return key
}

const received = () => chain.client.readContract({ address: chain.usdc, abi: usdcAbi, functionName: 'balanceOf', args: [PAY_TO] })

describe('official clients, unmodified, through {base_url}/sandbox', () => {
  test('v2: @x402/express sells and @x402/fetch pays, USDC moves', async () => {
    const merchant = await startMerchant({ facilitatorUrl: `${service.url}/sandbox`, payTo: PAY_TO, port: 0 })
    const payer = createPayer(await wallet())
    const before = await received()
    const paid = await payer.pay(`${merchant.url}/weather`)
    await merchant.stop()
    expect(paid).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:84532', payer: payer.address } })
    const receipt = await chain.client.getTransactionReceipt({ hash: `0x${paid.receipt?.transaction.slice(2)}` })
    expect(receipt.status).toBe('success')
    expect(await received()).toBe(before + 1_000n)
  })

  test('v2: a payer without money is told so by the merchant and nothing moves', async () => {
    const merchant = await startMerchant({ facilitatorUrl: `${service.url}/sandbox`, payTo: PAY_TO, port: 0 })
    const before = await received()
    const paid = await createPayer(generatePrivateKey()).pay(`${merchant.url}/weather`)
    await merchant.stop()
    expect(paid.status).toBe(402)
    expect(await received()).toBe(before)
  })

  test('v1: x402-express sells and x402-fetch pays, USDC moves', async () => {
    const key = await wallet()
    const before = await received()
    const program = path.join(import.meta.dirname, 'legacy', 'pay.mjs')
    const { stdout } = await promisify(execFile)(process.execPath, [program, `${service.url}/sandbox`, key, PAY_TO])
    expect(JSON.parse(stdout)).toMatchObject({
      status: 200,
      body: { weather: 'sunny' },
      receipt: { success: true, network: 'base-sepolia', payer: privateKeyToAccount(key).address },
    })
    expect(await received()).toBe(before + 1_000n)
  })

  test('the official facilitator client reads /supported under the root and under the prefix', async () => {
    const kinds = [
      { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ]
    for (const url of [service.url, `${service.url}/sandbox`, `${service.url}/sandbox/`]) {
      expect(await new HTTPFacilitatorClient({ url }).getSupported()).toMatchObject({ kinds })
    }
  })
})
