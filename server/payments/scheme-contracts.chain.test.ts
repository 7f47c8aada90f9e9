import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChannelForge } from '../../test/support/batch-settlement/channels'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { createUptoForge } from '../../test/support/permit2/upto'
import { startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { createApp, type RunningApp } from '../boot/app'
import { createRpc } from '../chains/evm/rpc'
import { missingContracts } from '../chains/evm/scheme-contracts'
import { readEnv } from '../env/env'
import { BATCH_SETTLEMENT_CONTRACT } from '../x402/schemes/batch-settlement/contracts'
import { UPTO_PROXY } from '../x402/schemes/permit2/contracts'

const NETWORK = 'eip155:84532'
const harness = fixture(() => startHarness())
const codes = new Map<Hex, Hex>()
let without: RunningApp

// A second instance starts while the contracts of both schemes are missing.
beforeAll(async () => {
  const { client } = harness.chain
  for (const address of [UPTO_PROXY, BATCH_SETTLEMENT_CONTRACT] as const) {
    codes.set(address, (await client.getCode({ address })) ?? '0x')
    await client.setCode({ address, bytecode: '0x' })
  }
  without = await createApp(readEnv(harness.env), testLog())
})
afterAll(() => without.close())

const schemesOf = async (app: RunningApp): Promise<unknown> => {
  const { kinds } = Object((await newClient(app).supported()).body)
  const on = kinds.filter(({ network }: { network: string }) => network === NETWORK)
  return on.map(({ scheme }: { scheme: string }) => scheme).toSorted()
}
const signer = (): Hex => privateKeyToAccount(`0x${harness.env.EVM_SANDBOX_SIGNER_KEYS?.replace(/^0x/, '')}`).address

test('a scheme is not offered on a network that lacks its contract, and nothing is judged by it', async () => {
  expect(await schemesOf(without)).toEqual(['exact'])
  expect(await schemesOf(harness.app)).toEqual(['batch-settlement', 'exact', 'upto'])
  const payment = await createUptoForge(harness.chain).paying({ facilitator: signer() })
  for (const act of ['verify', 'settle'] as const) {
    const { body } = await newClient(without)[act](payment.body)
    expect(JSON.stringify(body)).toContain('unsupported_scheme')
    expect(JSON.stringify(body)).toContain(UPTO_PROXY)
  }
  const forge = createChannelForge(harness.chain, signer(), signer())
  const { body: deposit } = await forge.deposit(await forge.payer())
  expect((await newClient(without).verify(deposit)).body).toMatchObject({ isValid: false, invalidReason: 'unsupported_scheme' })
  expect(await newClient(without).settle(forge.sweep())).toMatchObject({
    status: 503,
    body: { errorReason: 'facilitator_unavailable', error: expect.stringContaining(BATCH_SETTLEMENT_CONTRACT) },
  })
})

test('it is offered by a process that finds the contract', async () => {
  const { client, url } = harness.chain
  const rpc = createRpc([url], NETWORK, testLog())
  expect([...(await missingContracts(rpc))]).toEqual([
    ['upto', UPTO_PROXY],
    ['batch-settlement', BATCH_SETTLEMENT_CONTRACT],
  ])
  for (const [address, bytecode] of codes) await client.setCode({ address, bytecode })
  expect([...(await missingContracts(rpc))]).toEqual([])
})
