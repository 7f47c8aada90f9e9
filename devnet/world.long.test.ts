import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../server/base/log'
import { createIssuerKeys } from '../server/sign-in/issuer-keys'
import { createMerchantTokens } from '../server/sign-in/merchant-token'
import { issuerKeys } from '../server/sign-in/oidc'
import { freePort } from '../test/support/database/postgres'
import { signToken } from './identity/identity-provider'
import { clusters } from './solana/clusters'
import { addressOf } from './solana/keys'
import { associatedAddress } from './solana/tokens'
import { startWorld, type World } from './world'
import { readWorld, type WorldRecord } from './world-folder'

let parent = ''
let folder = ''
let running: World | undefined
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quittance-demo-'))
  folder = join(parent, 'demo')
})
afterAll(async () => {
  await running?.stop()
  await rm(parent, { recursive: true, force: true })
})

async function start(): Promise<World> {
  const ports = {
    service: await freePort(),
    merchant: await freePort(),
    identity: await freePort(),
    chain: await freePort(),
    baseChain: await freePort(),
    solana: await freePort(),
    solanaDevnet: await freePort(),
  }
  running = await startWorld({ folder, ports, mode: 'production', say: () => {} })
  return running
}

/** The world that runs. A start costs ten seconds of CPU time, so tests that only look share one. */
function world(): World {
  if (!running) throw new Error('no world runs')
  return running
}

const kept = (): WorldRecord => {
  const record = readWorld(folder)
  const { baseState, solanaState, solanaDevnetState } = record ?? {}
  if (!record || !baseState || !solanaState || !solanaDevnetState) throw new Error('the world has no complete record')
  return { ...record, baseState, solanaState, solanaDevnetState }
}

/** The merchant's balances on Base Sepolia and on Base. */
const received = ({ chains, payTo }: World) => Promise.all(chains.map((chain) => chain.tokens(payTo)))

test("a new world sells on every chain with its merchant's API key, in a file that only its owner can read", async () => {
  const first = await start()
  expect(first.facilitatorUrl).toMatch(new RegExp(`^${first.baseUrl}/v1/qt_[\\w-]{43}$`))
  const onSepolia = await first.pay('/weather')
  const onBase = await first.pay('/report')
  const onSolana = await first.pay('/almanac')
  expect(onSepolia).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:84532' } })
  expect(onBase).toMatchObject({ status: 200, receipt: { success: true, network: 'eip155:8453' } })
  expect(onSolana).toMatchObject({ status: 200, receipt: { success: true, network: clusters.mainnet.network } })
  expect(await received(first)).toEqual([1_000n, 50_000n])
  expect(await first.solana[0].tokens(addressOf(kept().keys.solanaMerchant))).toBe(20_000n)
  const { client } = first.chains[1]
  const { from } = await client.getTransaction({ hash: `0x${onBase.receipt?.transaction.slice(2)}` })
  expect(from).toBe(privateKeyToAddress(kept().keys.production).toLowerCase())
  expect(first.facilitatorUrl.endsWith(`/${kept().secrets.apiKey}`)).toBe(true)
  expect((await stat(join(folder, 'world.json'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(folder, 'service.log'), 'utf8')).not.toContain(kept().secrets.apiKey)
})

test('both Solana clusters of a world have a payer with money, a merchant with an account, and fee payers that can pay', async () => {
  const { solana } = world()
  const { solanaPayer, solanaMerchant, solanaSigner, solanaProduction } = kept().keys
  const [feePayers, merchant] = [[solanaSigner, solanaProduction].map(addressOf), addressOf(solanaMerchant)]
  expect(solana.map(({ network }) => network)).toEqual([clusters.mainnet.network, clusters.devnet.network])
  for (const chain of solana) {
    expect(await chain.tokens(addressOf(solanaPayer))).toBeGreaterThanOrEqual(10_000_000n)
    for (const feePayer of feePayers) expect(await chain.balance(feePayer)).toBeGreaterThanOrEqual(1_000_000_000n)
    const account = await associatedAddress(merchant, chain.mint)
    expect(await chain.balance(account)).toBeGreaterThan(0n)
  }
})

test('a world sells credits on all its networks, and its operator can be paid on each', async () => {
  const { baseUrl, solana } = world()
  const { operator, solanaOperator } = kept().keys
  const offered = z.object({ accepts: z.array(z.object({ network: z.string(), payTo: z.string() })) })
  const { accepts } = offered.parse(await (await fetch(`${baseUrl}/api/v1/agent/purchase?x402Version=1`)).json())
  const [evm, svm] = [privateKeyToAddress(operator), addressOf(solanaOperator)]
  expect(Object.fromEntries(accepts.map(({ network, payTo }) => [network, payTo]))).toEqual({
    base: evm,
    'base-sepolia': evm,
    solana: svm,
    'solana-devnet': svm,
  })
  for (const chain of solana) expect(await chain.balance(await associatedAddress(svm, chain.mint))).toBeGreaterThan(0n)
  expect(Object.keys(kept().running?.nodes ?? {})).toHaveLength(4)
})

test('the next start goes on with the same key, chains and ledger', async () => {
  const { secrets } = kept()
  await world().stop()
  const second = await start()
  expect(kept().secrets).toEqual(secrets)
  expect(second.facilitatorUrl.endsWith(`/${secrets.apiKey}`)).toBe(true)
  expect(await second.pay('/report')).toMatchObject({ status: 200, receipt: { success: true } })
  expect(await received(second)).toEqual([1_000n, 100_000n])
  expect(await second.pay('/almanac')).toMatchObject({ status: 200, receipt: { success: true } })
  expect(await second.solana[0].tokens(addressOf(kept().keys.solanaMerchant))).toBe(40_000n)
})

test('a token of the world is a merchant to its service', async () => {
  const { secrets } = kept()
  const { baseUrl, issuer } = world()
  expect(kept().running?.issuer).toBe(issuer)
  const now = () => new Date()
  const keys = createIssuerKeys({ read: issuerKeys(issuer), now, log: silentLog() })
  const prove = createMerchantTokens({ issuer, audience: baseUrl, keys, now })
  expect(await prove(await signToken({ issuer, baseUrl, key: secrets.identityKey, user: 'alice' }))).toBe('alice')
})

test('a world that lost its database sells again, with the same balances and a new API key', async () => {
  const before = kept()
  await world().stop()
  await rm(join(folder, 'service', 'db'), { recursive: true })
  const third = await start()
  expect(third.facilitatorUrl).not.toContain(before.secrets.apiKey)
  expect(await received(third)).toEqual([1_000n, 100_000n])
  expect(await third.pay('/weather')).toMatchObject({ status: 200, receipt: { success: true } })
  expect(await third.pay('/almanac')).toMatchObject({ status: 200, receipt: { success: true } })
  expect(await received(third)).toEqual([2_000n, 100_000n])
  await third.stop()
  expect(kept().keys).toEqual(before.keys)
  expect(third.facilitatorUrl.endsWith(`/${kept().secrets.apiKey}`)).toBe(true)
})
