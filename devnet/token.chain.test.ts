import { domainSeparator, type Hex, parseEther, parseEventLogs, parseSignature, serializeSignature, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usdcAbi, walletAbi } from './abi'
import { type Authorization, authorization, sign, usdcDomain } from './authorization'
import { type Chain, startChain } from './chain'

const relayer = privateKeyToAccount(generatePrivateKey())
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
let chain: Chain
let payer: ReturnType<typeof privateKeyToAccount>
let merchant: Hex

beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  await chain.fund(relayer.address, parseEther('10'))
})
afterAll(() => chain.stop())
beforeEach(async () => {
  payer = privateKeyToAccount(generatePrivateKey())
  merchant = privateKeyToAccount(generatePrivateKey()).address
  await chain.mint(payer.address, 5_000_000n)
})

const usdc = () => ({ address: chain.usdc, abi: usdcAbi, account: relayer, chain: chain.client.chain })
const now = async () => (await chain.client.getBlock()).timestamp
const tuple = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce] as const

const mined = async (sent: Promise<Hex>) => chain.client.waitForTransactionReceipt({ hash: await sent })

/** Relays a transfer as a facilitator does: it simulates first, so that a failure has a reason. */
async function relay(message: Authorization, signature: Hex) {
  const { request } = await chain.client.simulateContract({
    ...usdc(),
    functionName: 'transferWithAuthorization',
    args: [...tuple(message), signature],
  })
  return chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(request) })
}

/** Signs and relays a transfer from the payer to the merchant, with these changes. */
async function pay(change: Partial<Authorization> = {}) {
  const message = authorization({ from: payer.address, to: merchant, ...change })
  return relay(message, await sign(84532, payer, message))
}

describe('what a facilitator sees of the token', () => {
  test('the domain separator is the one the official clients sign for', async () => {
    const separator = await chain.client.readContract({ ...usdc(), functionName: 'DOMAIN_SEPARATOR' })
    expect(separator).toBe(domainSeparator({ domain: usdcDomain(84532) }))
  })

  test('a signed transfer moves the money, and logs AuthorizationUsed before Transfer', async () => {
    const receipt = await pay({ value: 1_250_000n })
    expect(await chain.tokens(merchant)).toBe(1_250_000n)
    expect(await chain.tokens(payer.address)).toBe(3_750_000n)
    const events = parseEventLogs({ abi: usdcAbi, logs: receipt.logs })
    expect(events.map((event) => event.eventName)).toEqual(['AuthorizationUsed', 'Transfer'])
    expect(events[1]?.args).toEqual({ from: payer.address, to: merchant, value: 1_250_000n })
  })

  test('the overload with v, r and s does the same', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const { r, s, yParity } = parseSignature(await sign(84532, payer, message))
    const args = [...tuple(message), 27 + yParity, r, s] as const
    const hash = await chain.client.writeContract({ ...usdc(), functionName: 'transferWithAuthorization', args })
    expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect(await chain.tokens(merchant)).toBe(1_000_000n)
  })
})

describe('what the token refuses', () => {
  test('an authorization that was used', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const signature = await sign(84532, payer, message)
    await relay(message, signature)
    await expect(relay(message, signature)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
    const args = [payer.address, message.nonce] as const
    expect(await chain.client.readContract({ ...usdc(), functionName: 'authorizationState', args })).toBe(true)
  })

  test('one that its payer canceled', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const cancel = await payer.signTypedData({
      domain: usdcDomain(84532),
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: payer.address, nonce: message.nonce },
    })
    const args = [payer.address, message.nonce, cancel] as const
    const hash = await chain.client.writeContract({ ...usdc(), functionName: 'cancelAuthorization', args })
    const { logs } = await chain.client.waitForTransactionReceipt({ hash })
    expect(parseEventLogs({ abi: usdcAbi, logs })[0]?.eventName).toBe('AuthorizationCanceled')
    await expect(relay(message, await sign(84532, payer, message))).rejects.toThrow('authorization is used or canceled')
  })

  test('one that expired: the last second is not included', async () => {
    await expect(pay({ validBefore: await now() })).rejects.toThrow('FiatTokenV2: authorization is expired')
  })

  test('one that is not valid yet: the first second is not included', async () => {
    await expect(pay({ validAfter: (await now()) + 60n })).rejects.toThrow('FiatTokenV2: authorization is not yet valid')
  })

  test('a signature of another account', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    await expect(relay(message, await sign(84532, relayer, message))).rejects.toThrow('FiatTokenV2: invalid signature')
  })

  test('the high-s twin of a good signature', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const { r, s, yParity } = parseSignature(await sign(84532, payer, message))
    const highS = `0x${(curveOrder - BigInt(s)).toString(16).padStart(64, '0')}` as const
    const twin = serializeSignature({ r, s: highS, yParity: 1 - yParity })
    await expect(relay(message, twin)).rejects.toThrow("ECRecover: invalid signature 's' value")
  })

  test('a v other than 27 and 28', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const { r, s, yParity } = parseSignature(await sign(84532, payer, message))
    const signature = `${r}${s.slice(2)}0${yParity}` as Hex
    await expect(relay(message, signature)).rejects.toThrow("ECRecover: invalid signature 'v' value")
  })

  test('more than the payer has', async () => {
    await expect(pay({ value: 5_000_001n })).rejects.toThrow('ERC20: transfer amount exceeds balance')
  })

  test('a blacklisted payer and a blacklisted merchant', async () => {
    for (const account of [merchant, payer.address]) {
      await mined(chain.client.writeContract({ ...usdc(), functionName: 'blacklist', args: [account, true] }))
      await expect(pay()).rejects.toThrow('Blacklistable: account is blacklisted')
    }
  })

  test('everything while it is paused', async () => {
    await mined(chain.client.writeContract({ ...usdc(), functionName: 'pause', args: [true] }))
    await expect(pay()).rejects.toThrow('Pausable: paused')
    await mined(chain.client.writeContract({ ...usdc(), functionName: 'pause', args: [false] }))
    expect((await pay()).status).toBe('success')
  })

  test('a receive by anyone but the payee', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const signature = await sign(84532, payer, message, 'ReceiveWithAuthorization')
    const args = [...tuple(message), signature] as const
    const call = { ...usdc(), functionName: 'receiveWithAuthorization', args } as const
    await expect(chain.client.simulateContract(call)).rejects.toThrow('FiatTokenV2: caller must be the payee')
    await expect(chain.client.simulateContract({ ...call, account: merchant })).resolves.toBeDefined()
  })
})

describe('a smart wallet as payer', () => {
  test('pays when its owner signed, and only then', async () => {
    const wallet = await chain.deployWallet(payer.address)
    await chain.mint(wallet, 2_000_000n)
    const message = authorization({ from: wallet, to: merchant })
    await expect(relay(message, await sign(84532, relayer, message))).rejects.toThrow('FiatTokenV2: invalid signature')
    await relay(message, await sign(84532, payer, message))
    expect(await chain.tokens(merchant)).toBe(1_000_000n)
  })

  test('cannot pay with its own key once the account has code', async () => {
    const message = authorization({ from: payer.address, to: merchant })
    const wallet = await chain.deployWallet(relayer.address)
    const bytecode = await chain.client.getCode({ address: wallet })
    await chain.client.setCode({ address: payer.address, bytecode: bytecode ?? '0x' })
    await expect(relay(message, await sign(84532, payer, message))).rejects.toThrow('FiatTokenV2: invalid signature')
  })

  test('can burn all the gas of its caller', async () => {
    const wallet = await chain.deployWallet(payer.address)
    const { request } = await chain.client.simulateContract({
      ...usdc(),
      address: wallet,
      abi: walletAbi,
      functionName: 'burnGas',
      args: [true],
    })
    await chain.client.writeContract(request)
    const message = authorization({ from: wallet, to: merchant })
    const signature = await sign(84532, payer, message)
    const args = [...tuple(message), signature] as const
    const hash = await chain.client.writeContract({
      ...usdc(),
      functionName: 'transferWithAuthorization',
      args,
      gas: 1_000_000n,
    })
    const receipt = await chain.client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('reverted')
    expect(receipt.gasUsed).toBeGreaterThan(950_000n)
  })
})

test('the silent token accepts a payment, moves nothing and logs nothing', async () => {
  const silent = await chain.deploySilentToken()
  const message = authorization({ from: payer.address, to: zeroAddress })
  const args = [...tuple(message), '0x'] as const
  const hash = await chain.client.writeContract({ ...usdc(), address: silent, functionName: 'transferWithAuthorization', args })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  expect([receipt.status, receipt.logs]).toEqual(['success', []])
})
