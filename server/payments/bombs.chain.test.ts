import { type Address, getAddress, type Hex, type LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { walletAbi } from '../../devnet/abi'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { evmWallet, type SigningWallet, siweHeaders } from '../../test/support/payloads/sign-in'
import { post } from '../../test/support/service/client'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { signIn } from '../sign-in/endpoints'

/** What a wallet's code may answer under its gas is a little more than this. */
const LONG = 300_000
/** The longest answer that we may read from a node when unknownPayers' code writes it. */
const BOUND = 16_384

let proxy: RpcProxy
let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    rpcUrl: async (chain) => {
      proxy = await startRpcProxy(chain.url)
      return proxy.url
    },
  })
})
afterAll(async () => {
  await harness.close()
  await proxy.close()
})
beforeEach(() => {
  proxy.traffic.length = 0
})

/** A new wallet with very long responses. */
async function bomb(failing: boolean): Promise<{ address: Address; owner: LocalAccount }> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const address = await harness.chain.deployWallet(owner.address)
  await harness.chain.mint(address, 1_000_000n)
  await harness.chain.fund(owner.address, 10n ** 18n)
  const { client } = harness.chain
  const functionName = 'answerAtLength'
  const request = { account: owner, chain: client.chain, address, abi: walletAbi, functionName, args: [LONG, failing] } as const
  await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
  return { address, owner }
}

const paymentOf = async ({ address, owner }: Awaited<ReturnType<typeof bomb>>) => v2Body(await signed(owner, { from: address }))

let visitors = 0
async function signInAs({ address, owner }: { address: Address; owner: LocalAccount }) {
  const wallet: SigningWallet = { ...evmWallet(owner), address: getAddress(address) }
  const headers = { 'x-quittance-client-ip': `10.77.0.${++visitors}`, ...(await siweHeaders(wallet)) }
  const request = new Request('http://quittance.test/', { method: 'POST', headers })
  const response = await signIn.handle(harness.app, request)
  return { status: response.status, body: await response.json() }
}

const longest = () => Math.max(0, ...proxy.traffic.map(({ bytes }) => bytes))
/** HTTP requests in which a call about this wallet was sent. */
const withWallet = (address: Hex) => proxy.traffic.filter(({ calls }) => calls.some(({ params }) => named(params, address)))
const named = (params: unknown[], address: Hex) => JSON.stringify(params).toLowerCase().includes(address.slice(2).toLowerCase())

describe.each([
  { what: 'answers 300 KB', failing: false },
  { what: 'reverts with 300 KB', failing: true },
])('a wallet that $what', ({ failing }) => {
  test('is refused at verify and settle; few bytes are read, and no other call shares its requests', async () => {
    const wallet = await bomb(failing)
    const honest = await Promise.all(Array.from({ length: 5 }, async () => v2Body(await signed(await harness.payer()))))
    const body = await paymentOf(wallet)
    proxy.traffic.length = 0
    const [verified, settled, ...others] = await Promise.all([
      post(harness.app, 'verify', body),
      post(harness.app, 'settle', body),
      ...honest.map((one) => post(harness.app, 'verify', one)),
    ])
    const invalid = 'invalid_exact_evm_signature'
    expect(verified).toMatchObject({ status: 200, body: { isValid: false, invalidReason: invalid } })
    expect(settled).toMatchObject({ status: 200, body: { success: false, errorReason: invalid, transaction: '' } })
    expect(others.map(({ status, body }) => [status, body.isValid])).toEqual(honest.map(() => [200, true]))
    const about = withWallet(wallet.address)
    expect(about.length).toBeGreaterThan(0)
    for (const { calls, bytes } of about) expect([calls.length, bytes < BOUND]).toEqual([1, true])
    expect(longest()).toBeLessThan(BOUND * others.length * 2)
  })

  test('cannot sign in; few bytes are read, and a payment of that moment shares no request with it', async () => {
    const wallet = await bomb(failing)
    const honest = v2Body(await signed(await harness.payer()))
    proxy.traffic.length = 0
    const [refused, verified] = await Promise.all([signInAs(wallet), post(harness.app, 'verify', honest)])
    expect(refused.status).toBe(401)
    expect(verified.body).toMatchObject({ isValid: true })
    expect(longest()).toBeLessThan(BOUND)
    const about = withWallet(wallet.address)
    expect(about.length).toBeGreaterThan(0)
    for (const { calls } of about) expect(calls).toHaveLength(1)
  })

  test('to whose code a key has delegated is a failed payment, in few bytes', async () => {
    const wallet = await bomb(failing)
    const payer = await harness.payer()
    const { client } = harness.chain
    const code = await client.getCode({ address: wallet.address })
    await client.setCode({ address: payer.address, bytecode: code ?? '0x' })
    const slot = await client.getStorageAt({ address: wallet.address, slot: '0x0' })
    await client.setStorageAt({ address: payer.address, index: 0, value: slot ?? '0x' })
    const body = v2Body(await signed(payer))
    proxy.traffic.length = 0
    const answer = await post(harness.app, 'verify', body)
    expect(answer).toMatchObject({
      status: 200,
      body: { isValid: false, invalidReason: 'invalid_exact_evm_transaction_simulation_failed' },
    })
    expect(longest()).toBeLessThan(BOUND)
  })
})
