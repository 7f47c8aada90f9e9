import {
  type Address,
  domainSeparator,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
  parseEventLogs,
  parseSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { factoryAbi, hostileModes, hostileTokenAbi, usdcAbi, walletAbi } from './abi'
import { type Authorization, authorization, sign, signUnder, usdcDomain } from './authorization'
import { type Chain, startChain } from './chain'
import { exactProxyAddress, permit2Address } from './networks'
import { exactProxyAbi, type Permit2Message, permit2Message, signPermit, signPermit2 } from './permit2'

const chainId = 84532
const relayer = privateKeyToAccount(generatePrivateKey())
const merchant = privateKeyToAccount(generatePrivateKey()).address
let chain: Chain
let payer: ReturnType<typeof privateKeyToAccount>

beforeAll(async () => {
  chain = await startChain({ chainId })
  await chain.fund(relayer.address, parseEther('10'))
})
afterAll(() => chain.stop())
beforeEach(() => {
  payer = privateKeyToAccount(generatePrivateKey())
})

/** A new token of which the payer has ten. */
async function token(kind: Parameters<Chain['deployToken']>[0], decimals = 6): Promise<Address> {
  const address = await chain.deployToken(kind, { decimals })
  await chain.mint(payer.address, 10_000_000n, address)
  return address
}

async function approve(address: Address): Promise<void> {
  await chain.fund(payer.address, parseEther('1'))
  const args = [permit2Address, 2n ** 256n - 1n] as const
  const call = { address, abi: usdcAbi, functionName: 'approve', args, account: payer, chain: chain.client.chain } as const
  await chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(call) })
}

const parts = ({ permitted, nonce, deadline, witness }: Permit2Message, signature: Hex, owner: Address) =>
  [{ permitted, nonce, deadline }, owner, witness, signature] as const
const proxy = () => ({ address: exactProxyAddress, abi: exactProxyAbi, account: relayer, chain: chain.client.chain })

/** Simulates, so that a failure has a reason, and sends. */
async function settle(message: Permit2Message, owner = payer.address, signer = payer) {
  const args = parts(message, await signPermit2(chainId, signer, message), owner)
  const { request } = await chain.client.simulateContract({ ...proxy(), functionName: 'settle', args })
  return chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(request) })
}

const permitDomain = (verifyingContract: Address) => ({ name: 'Test Dollar', version: '1', chainId, verifyingContract })

async function settleWithPermit(message: Permit2Message, domain: ReturnType<typeof permitDomain>, value?: bigint) {
  const permit = await signPermit(domain, payer, { value: value ?? message.permitted.amount })
  const { r, s, yParity } = parseSignature(permit.signature)
  const permit2612 = { value: permit.value, deadline: permit.deadline, r, s, v: 27 + yParity }
  const args = [permit2612, ...parts(message, await signPermit2(chainId, payer, message), payer.address)] as const
  const { request } = await chain.client.simulateContract({ ...proxy(), functionName: 'settleWithPermit', args })
  return chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(request) })
}

describe('Permit2 and the proxy', () => {
  test('Permit2 knows its own address and the chain in its domain', async () => {
    const abi = parseAbi(['function DOMAIN_SEPARATOR() view returns (bytes32)'])
    const read = { address: permit2Address, abi, functionName: 'DOMAIN_SEPARATOR' } as const
    const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address }
    expect(await chain.client.readContract(read)).toBe(domainSeparator({ domain }))
    expect(await chain.client.readContract({ ...proxy(), functionName: 'PERMIT2' })).toBe(permit2Address)
  })

  test.each([6, 18])('a payer who approved Permit2 pays in a plain token of %i decimals', async (decimals) => {
    const plain = await token('plain', decimals)
    await approve(plain)
    const receipt = await settle(permit2Message(plain, merchant, { amount: 700_000n }))
    expect(parseEventLogs({ abi: exactProxyAbi, logs: receipt.logs }).map(({ eventName }) => eventName)).toEqual(['Settled'])
    const [transfer] = parseEventLogs({ abi: usdcAbi, logs: receipt.logs, eventName: 'Transfer' })
    expect(transfer?.args).toEqual({ from: payer.address, to: merchant, value: 700_000n })
    expect(await chain.tokens(payer.address, plain)).toBe(9_300_000n)
    expect(await chain.client.readContract({ address: plain, abi: usdcAbi, functionName: 'decimals' })).toBe(decimals)
  })

  test('one signature more pays without an approval, in a token with EIP-2612 and in USDC', async () => {
    const permits = await token('permit')
    const receipt = await settleWithPermit(permit2Message(permits, merchant), permitDomain(permits))
    const names = parseEventLogs({ abi: exactProxyAbi, logs: receipt.logs }).map(({ eventName }) => eventName)
    expect(names).toEqual(['SettledWithPermit'])
    await chain.mint(payer.address, 1_000_000n)
    await settleWithPermit(permit2Message(chain.usdc, merchant), usdcDomain(chainId))
    expect(await chain.tokens(payer.address)).toBe(0n)
  })

  test('a permit that was used before does not stop the payment', async () => {
    const permits = await token('permit')
    const { owner, spender, value, deadline, signature } = await signPermit(permitDomain(permits), payer)
    const { r, s, yParity } = parseSignature(signature)
    const args = [owner, spender, value, deadline, 27 + yParity, r, s] as const
    await chain.send(permits, encodeFunctionData({ abi: usdcAbi, functionName: 'permit', args }))
    expect((await settleWithPermit(permit2Message(permits, merchant), permitDomain(permits))).status).toBe('success')
  })

  test('each broken field has its own error', async () => {
    const plain = await token('plain')
    const broken = (change: Parameters<typeof permit2Message>[2], to = merchant) => settle(permit2Message(plain, to, change))
    const zero = '0x0000000000000000000000000000000000000000'
    await expect(broken({})).rejects.toThrow('TRANSFER_FROM_FAILED')
    await approve(plain)
    const message = permit2Message(plain, merchant)
    await settle(message)
    await expect(settle(message)).rejects.toThrow('InvalidNonce')
    await expect(broken({ amount: 0n })).rejects.toThrow('InvalidAmount')
    await expect(broken({}, zero)).rejects.toThrow('InvalidDestination')
    await expect(broken({ validAfter: 2n ** 40n })).rejects.toThrow('PaymentTooEarly')
    await expect(broken({ deadline: 1n })).rejects.toThrow('SignatureExpired')
    await expect(settle(permit2Message(plain, merchant), zero)).rejects.toThrow('InvalidOwner')
    await expect(settle(permit2Message(plain, merchant), payer.address, relayer)).rejects.toThrow('InvalidSigner')
    await expect(settleWithPermit(permit2Message(plain, merchant), permitDomain(plain), 5n)).rejects.toThrow(
      'Permit2612AmountMismatch',
    )
  })
})

describe('hostile tokens', () => {
  /** A hostile token in a mode, and a payment in it by Permit2. */
  async function hostile(mode: keyof typeof hostileModes) {
    const address = await token('hostile')
    await approve(address)
    await chain.send(address, encodeFunctionData({ abi: hostileTokenAbi, functionName: 'setMode', args: [hostileModes[mode]] }))
    return { address, message: permit2Message(address, merchant) }
  }
  const received = (address: Address) => chain.tokens(merchant, address)

  test('false from transferFrom fails the payment', async () => {
    await expect(settle((await hostile('returnsFalse')).message)).rejects.toThrow('TRANSFER_FROM_FAILED')
  })

  test('a transfer may move nothing, or less, or log more, and still succeed', async () => {
    for (const [mode, moved, logs] of [
      ['silent', 0n, []],
      ['takesFee', 990_000n, [990_000n, 10_000n]],
      ['logsMore', 1_000_000n, [1_000_001n]],
    ] as const) {
      const { address, message } = await hostile(mode)
      const receipt = await settle(message)
      const transfers = parseEventLogs({ abi: usdcAbi, logs: receipt.logs, eventName: 'Transfer' })
      expect([receipt.status, await received(address)]).toEqual(['success', moved])
      expect(transfers.map(({ args }) => args.value)).toEqual(logs)
    }
  })

  test('a token cannot enter the proxy again', async () => {
    const { address, message } = await hostile('honest')
    const again = permit2Message(address, merchant)
    const args = parts(again, await signPermit2(chainId, payer, again), payer.address)
    const data = encodeFunctionData({ abi: exactProxyAbi, functionName: 'settle', args })
    await chain.send(
      address,
      encodeFunctionData({ abi: hostileTokenAbi, functionName: 'reenter', args: [exactProxyAddress, data] }),
    )
    await settle(message)
    expect(await chain.client.readContract({ address, abi: hostileTokenAbi, functionName: 'reentered' })).toBe(false)
    expect(await received(address)).toBe(1_000_000n)
  })

  test('a transfer may work in every simulation and revert in a transaction', async () => {
    const { message } = await hostile('revertsWherePaid')
    const args = parts(message, await signPermit2(chainId, payer, message), payer.address)
    await chain.client.simulateContract({ ...proxy(), functionName: 'settle', args })
    const hash = await chain.client.writeContract({ ...proxy(), functionName: 'settle', args, gas: 500_000n })
    expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('reverted')
    await expect(settle((await hostile('reverts')).message)).rejects.toThrow('TRANSFER_FROM_FAILED')
  })
})

describe('wallets', () => {
  const salt = 7n

  test('a factory puts a wallet where it says, once, and its owner then pays from it', async () => {
    const factory = await chain.deployFactory('wallets')
    const args = [payer.address, salt] as const
    const wallet = await chain.client.readContract({ address: factory, abi: factoryAbi, functionName: 'addressOf', args })
    const create = encodeFunctionData({ abi: factoryAbi, functionName: 'create', args })
    expect(await chain.client.getCode({ address: wallet })).toBeUndefined()
    await chain.send(factory, create)
    await chain.send(factory, create)
    await chain.mint(wallet, 1_000_000n)
    const message = authorization({ from: wallet, to: merchant })
    await chain.send(chain.usdc, transferCall(message, await sign(chainId, payer, message)))
    expect(await chain.tokens(wallet)).toBe(0n)
  })

  test('a hostile factory may deploy only where gas is free', async () => {
    const factory = await chain.deployFactory('hostile')
    const call = { address: factory, abi: factoryAbi, args: [payer.address, salt] } as const
    const wallet = await chain.client.readContract({ ...call, functionName: 'addressOf' })
    await chain.send(factory, encodeFunctionData({ ...call, functionName: 'createWhereFree' }))
    expect(await chain.client.getCode({ address: wallet })).toBeUndefined()
    await expect(chain.send(factory, encodeFunctionData({ abi: factoryAbi, functionName: 'fail' }))).rejects.toThrow('reverted')
  })

  test('the factory of version 0.8 of SimpleAccount refuses every caller but its EntryPoint', async () => {
    const address = await chain.deployFactory('simple account')
    const abi = parseAbi(['function createAccount(address owner, uint256 salt) returns (address)'])
    const call = { address, abi, functionName: 'createAccount', args: [payer.address, salt], account: relayer } as const
    await expect(chain.client.simulateContract(call)).rejects.toThrow('only callable from SenderCreator')
  })

  test('a delegated account pays with its key: USDC asks its code, an older token the key', async () => {
    await chain.delegate(payer)
    expect(await chain.client.getCode({ address: payer.address })).toMatch(/^0xef0100[0-9a-f]{40}$/)
    await chain.mint(payer.address, 1_000_000n)
    const message = authorization({ from: payer.address, to: merchant })
    await chain.send(chain.usdc, transferCall(message, await sign(chainId, payer, message)))
    expect(await chain.tokens(payer.address)).toBe(0n)
    const wallet = await chain.deployWallet(relayer.address)
    await chain.delegate(payer, wallet)
    expect(await chain.client.readContract({ address: payer.address, abi: walletAbi, functionName: 'owner' })).toBe(
      relayer.address,
    )
    await chain.mint(payer.address, 1_000_000n)
    const next = authorization({ from: payer.address, to: merchant })
    const refused = chain.send(chain.usdc, transferCall(next, await sign(chainId, payer, next)))
    await expect(refused).rejects.toThrow('reverted')

    const keyed = await token('key')
    const signature = await signUnder(permitDomain(keyed), payer, next)
    await chain.send(keyed, keyCall(next, signature))
    expect(await chain.tokens(merchant, keyed)).toBe(next.value)
  })
})

const keyCall = (message: Authorization, signature: Hex): Hex => {
  const { from, to, value, validAfter, validBefore, nonce } = message
  const { r, s, yParity } = parseSignature(signature)
  const args = [from, to, value, validAfter, validBefore, nonce, 27 + yParity, r, s] as const
  return encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args })
}

function transferCall(message: Authorization, signature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = message
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const
  return encodeFunctionData({ abi: usdcAbi, functionName: 'transferWithAuthorization', args })
}
