import { type Address, encodeFunctionData, type Hex, parseSignature, serializeErc6492Signature, serializeSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usdcAbi, walletAbi } from '../../devnet/abi'
import { authorization, usdcDomain } from '../../devnet/authorization'
import { type Harness, requirements, signed, startHarness, until, v1Body, v2Body } from '../../test/harness'
import { balanceOf, historyOf, left, newVisitor, sentCount } from '../../test/surface'
import { historyReason, type Reason, reasons } from '../x402/reasons'

type Json = Record<string, unknown>
type Bad = { body: Json; payer: Address; proven?: boolean; message?: string; network?: string; asked?: boolean }
type Case = [string, Reason, (payTo: Address) => Promise<Bad>]

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const now = () => BigInt(Math.floor(Date.now() / 1_000))
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.close())

/** A payment to `payTo` that its payer could afford, with the changes of the case. */
async function paying(
  payTo: Address,
  change: { signed?: object; requirements?: Json; accepted?: Json; balance?: bigint; signature?: (good: Hex) => Hex } = {},
): Promise<{ body: Json; payer: Address }> {
  const payer = await harness.payer(change.balance)
  const payment = await signed(payer, { to: payTo, ...change.signed })
  const signature = change.signature?.(payment.signature) ?? payment.signature
  const asked = { payTo, ...change.requirements }
  return {
    body: v2Body({ ...payment, signature }, { requirements: asked, accepted: change.accepted ?? {} }),
    payer: payer.address,
  }
}

const call = (functionName: 'blacklist', args: [Address, boolean]) => {
  const { client, usdc } = harness.chain
  return sendAs(async (account) =>
    client.writeContract({ account, chain: client.chain, address: usdc, abi: usdcAbi, functionName, args }),
  )
}

async function sendAs(send: (account: ReturnType<typeof privateKeyToAccount>) => Promise<Hex>): Promise<void> {
  const account = privateKeyToAccount(generatePrivateKey())
  await harness.chain.fund(account.address, 10n ** 18n)
  await harness.chain.client.waitForTransactionReceipt({ hash: await send(account) })
}

function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}`, yParity: 1 - yParity })
}

/** A deployed wallet with money, its owner, and a payment of it signed by whoever is told. */
async function fromWallet(
  payTo: Address,
  signer: 'owner' | 'stranger',
  options: { burns?: boolean; tail?: string } = {},
): Promise<Bad> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const wallet = await harness.chain.deployWallet(owner.address)
  await harness.chain.mint(wallet, 1_000_000n)
  const { client } = harness.chain
  if (options.burns)
    await sendAs((account) =>
      client.writeContract({
        account,
        chain: client.chain,
        address: wallet,
        abi: walletAbi,
        functionName: 'burnGas',
        args: [true],
      }),
    )
  const who = signer === 'owner' ? owner : privateKeyToAccount(generatePrivateKey())
  const payment = await signed(who, { from: wallet, to: payTo })
  const signature = `${payment.signature}${options.tail ?? ''}`
  return { body: v2Body(payment, { requirements: { payTo }, payload: { signature } }), payer: wallet }
}

const NOBODY = '' as Address
const form = (make: (payTo: Address) => Promise<Bad>) => async (payTo: Address) => ({ ...(await make(payTo)), asked: false })

const proven = (make: (payTo: Address) => Promise<Bad>) => async (payTo: Address) => ({ ...(await make(payTo)), proven: true })
const terms = (make: (payTo: Address) => Promise<Bad>) => form(proven(make))

const cases: Case[] = [
  [
    'scheme upto',
    'unsupported_scheme',
    form(async (payTo) => ({ ...(await paying(payTo, { requirements: { scheme: 'upto' } })), payer: NOBODY })),
  ],
  [
    'another scheme in the payload',
    'invalid_exact_evm_scheme',
    form(async (payTo) => ({ ...(await paying(payTo, { accepted: { scheme: 'upto' } })), payer: NOBODY })),
  ],
  ['no extra', 'invalid_exact_evm_missing_eip712_domain', form((payTo) => paying(payTo, { requirements: { extra: undefined } }))],
  ['an empty extra', 'invalid_exact_evm_missing_eip712_domain', form((payTo) => paying(payTo, { requirements: { extra: {} } }))],
  [
    'another network',
    'invalid_exact_evm_network_mismatch',
    form((payTo) => paying(payTo, { accepted: { network: 'eip155:8453' } })),
  ],
  [
    'a Permit2 payload',
    'unsupported_payload_type',
    form(async (payTo) => {
      const { payer } = await paying(payTo)
      const accepted = requirements({ payTo })
      const payload = { signature: '0x', permit2Authorization: { from: payer } }
      return {
        body: { paymentPayload: { x402Version: 2, accepted, payload }, paymentRequirements: accepted },
        payer: '' as Address,
      }
    }),
  ],
  ['an empty signature', 'invalid_exact_evm_signature', (payTo) => paying(payTo, { signature: () => '0x' })],
  [
    'random bytes as signature',
    'invalid_exact_evm_signature',
    (payTo) => paying(payTo, { signature: () => `0x${'5a'.repeat(65)}` }),
  ],
  [
    'a signature of 64 bytes',
    'invalid_exact_evm_signature',
    (payTo) => paying(payTo, { signature: (good) => `0x${good.slice(2, 130)}` }),
  ],
  [
    'a signature of 6 KB',
    'invalid_exact_evm_signature',
    form((payTo) => paying(payTo, { signature: () => `0x${'5a'.repeat(6_500)}` })),
  ],
  [
    'a wallet’s signature of 6 KB',
    'invalid_exact_evm_signature',
    form((payTo) => fromWallet(payTo, 'owner', { tail: '5a'.repeat(6_500) })),
  ],
  [
    'a wrapper that holds nothing',
    'eip6492_factory_not_allowed',
    (payTo) => paying(payTo, { signature: () => `0x12${'6492'.repeat(16)}` }),
  ],
  ['a signature with a high s', 'invalid_exact_evm_signature', (payTo) => paying(payTo, { signature: highS })],
  [
    'the signature of another wallet',
    'invalid_exact_evm_signature',
    async (payTo) => {
      const from = newAddress()
      return { ...(await paying(payTo, { signed: { from } })), payer: from }
    },
  ],
  ['a wallet that did not sign', 'invalid_exact_evm_signature', (payTo) => fromWallet(payTo, 'stranger')],
  ['a wallet that burns all gas', 'invalid_exact_evm_signature', (payTo) => fromWallet(payTo, 'owner', { burns: true })],
  [
    'a wallet that is not deployed',
    'eip6492_factory_not_allowed',
    (payTo) =>
      paying(payTo, {
        signature: (signature) => {
          const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [payTo, 1n] })
          return serializeErc6492Signature({ address: harness.chain.usdc, data, signature })
        },
      }),
  ],
  [
    'another recipient',
    'invalid_exact_evm_recipient_mismatch',
    terms((payTo) => paying(payTo, { signed: { to: newAddress() } })),
  ],
  [
    'an expired authorization',
    'invalid_exact_evm_payload_authorization_valid_before',
    terms((payTo) => paying(payTo, { signed: { validBefore: now() - 1n } })),
  ],
  [
    'an authorization about to expire',
    'invalid_exact_evm_payload_authorization_valid_before',
    terms((payTo) => paying(payTo, { signed: { validBefore: now() + 3n } })),
  ],
  [
    'an authorization of the future',
    'invalid_exact_evm_payload_authorization_valid_after',
    terms((payTo) => paying(payTo, { signed: { validAfter: now() + 1_000n } })),
  ],
  [
    'less than asked',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    terms((payTo) => paying(payTo, { signed: { value: 999n } })),
  ],
  [
    'more than asked',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    terms((payTo) => paying(payTo, { signed: { value: 1_001n } })),
  ],
  [
    'less than asked, in version 1',
    'invalid_exact_evm_authorization_value',
    terms(async (payTo) => {
      const payer = await harness.payer()
      const body = v1Body(await signed(payer, { to: payTo, value: 999n }), { requirements: { payTo } })
      return { body, payer: payer.address, network: 'base-sepolia' }
    }),
  ],
  [
    'a wrong domain name',
    'invalid_exact_evm_token_name_mismatch',
    terms((payTo) => underDomain(payTo, { name: 'USD Coin', version: '2' })),
  ],
  [
    'a wrong domain version',
    'invalid_exact_evm_token_version_mismatch',
    terms((payTo) => underDomain(payTo, { name: 'USDC', version: '1' })),
  ],
  ['too little money', 'invalid_exact_evm_insufficient_balance', proven((payTo) => paying(payTo, { balance: 999n }))],
  ['no money', 'invalid_exact_evm_insufficient_balance', proven((payTo) => paying(payTo, { balance: 0n }))],
  [
    'a nonce that was cancelled',
    'invalid_exact_evm_nonce_already_used',
    proven(async (payTo) => {
      const payer = await harness.payer()
      const payment = await signed(payer, { to: payTo })
      const { nonce } = payment.authorization
      const fields = [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ]
      const primaryType = 'CancelAuthorization'
      const message = { authorizer: payer.address, nonce }
      const cancel = await payer.signTypedData({
        domain: usdcDomain(84532),
        types: { [primaryType]: fields },
        primaryType,
        message,
      })
      await onToken('cancelAuthorization', [payer.address, nonce, cancel])
      return { body: v2Body(payment, { requirements: { payTo } }), payer: payer.address }
    }),
  ],
  [
    'a nonce that was used elsewhere',
    'invalid_exact_evm_nonce_already_used',
    proven(async (payTo) => {
      const payer = await harness.payer()
      const elsewhere = await signed(payer, { to: newAddress() })
      const { from, to, value, validAfter, validBefore, nonce } = elsewhere.authorization
      await onToken('transferWithAuthorization', [from, to, value, validAfter, validBefore, nonce, elsewhere.signature])
      return { body: v2Body(await signed(payer, { to: payTo, nonce }), { requirements: { payTo } }), payer: payer.address }
    }),
  ],
  [
    'a blacklisted payer',
    'invalid_exact_evm_transaction_simulation_failed',
    proven(async (payTo) => {
      const bad = await paying(payTo)
      await call('blacklist', [bad.payer, true])
      return { ...bad, message: 'The transfer would fail on chain: Blacklistable: account is blacklisted' }
    }),
  ],
  [
    'a blacklisted recipient',
    'invalid_exact_evm_transaction_simulation_failed',
    proven(async (payTo) => {
      await call('blacklist', [payTo, true])
      return { ...(await paying(payTo)), message: 'The transfer would fail on chain: Blacklistable: account is blacklisted' }
    }),
  ],
]

function onToken(functionName: 'cancelAuthorization' | 'transferWithAuthorization', args: readonly unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: usdcAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
  const { client, usdc } = harness.chain
  return sendAs((account) => client.sendTransaction({ account, chain: client.chain, to: usdc, data }))
}

/** Signed and declared under another domain than the token's. */
async function underDomain(payTo: Address, extra: { name: string; version: string }): Promise<Bad> {
  const payer = await harness.payer()
  const message = authorization({ from: payer.address, to: payTo, value: 1_000n })
  const uint = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
  const addresses = ['from', 'to'].map((name) => ({ name, type: 'address' }))
  const types = { TransferWithAuthorization: [...addresses, ...uint, { name: 'nonce', type: 'bytes32' }] }
  const domain = { ...usdcDomain(84532), ...extra }
  const signature = await payer.signTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message })
  return { body: v2Body({ authorization: message, signature }, { requirements: { payTo, extra } }), payer: payer.address }
}

describe('a payment that is judged and fails', () => {
  test.each(cases)('%s: %s', async (_, reason, make) => {
    const payTo = newAddress()
    const { body, payer, proven = false, message = reasons[reason], network = 'eip155:84532', asked = true } = await make(payTo)
    const visitor = newVisitor(harness.app)
    const [sent, money] = [await sentCount(harness), payer ? await balanceOf(harness, payer) : 0n]

    const verified = await visitor.verify(body)
    expect(verified.body).toEqual({ isValid: false, invalidReason: reason, invalidMessage: message, payer })
    expect([verified.status, left(verified)]).toEqual([200, { settlements: '1000', verifications: asked ? '4999' : '5000' }])
    expect(await historyOf(harness, payTo)).toEqual([])

    const settled = await visitor.settle(body)
    const told = { error: message, errorReason: reason, errorMessage: message }
    expect(settled.body).toEqual({ success: false, ...told, transaction: '', network, payer })
    expect([settled.status, left(settled).settlements]).toEqual([200, asked ? '999' : '1000'])
    expect(settled.headers.has('x-settlement-id')).toBe(false)

    expect(await historyOf(harness, payTo)).toMatchObject([
      {
        payer: proven ? payer.toLowerCase() : '',
        success: false,
        txHash: '',
        errorReason: historyReason(reason),
        network: 'eip155:84532',
        plan: 'sandbox',
        tenantId: '00000000-0000-0000-0000-000000000000',
      },
    ])
    expect(await sentCount(harness)).toBe(sent)
    expect(await balanceOf(harness, payTo)).toBe(0n)
    if (payer) expect(await balanceOf(harness, payer)).toBe(money)
    expect(await harness.app.db.settlement.count({ where: { payTo: payTo.toLowerCase() } })).toBe(0)
  })
})

test('a wallet that burns all gas is judged in less than three seconds', async () => {
  const { body } = await fromWallet(newAddress(), 'owner', { burns: true })
  const started = performance.now()
  expect((await newVisitor(harness.app).verify(body)).body).toMatchObject({ isValid: false })
  expect(performance.now() - started).toBeLessThan(3_000)
})

describe('a payment that is valid however unusual', () => {
  const unusual: [string, (payTo: Address) => Promise<Bad>][] = [
    [
      'v of 0 or 1',
      (payTo) => paying(payTo, { signature: (good) => `${good.slice(0, 130)}${good.endsWith('1b') ? '00' : '01'}` as Hex }),
    ],
    ['a wallet whose owner signed', (payTo) => fromWallet(payTo, 'owner')],
    [
      'a deployed wallet with a wrapped signature',
      async (payTo) => {
        const good = await fromWallet(payTo, 'owner')
        const wrapped = structuredClone(good.body)
        const inner = Object(Object(wrapped.paymentPayload).payload)
        inner.signature = serializeErc6492Signature({ address: harness.chain.usdc, data: '0x', signature: inner.signature })
        return { ...good, body: wrapped }
      },
    ],
    ['the end of time as its end', (payTo) => paying(payTo, { signed: { validBefore: 2n ** 256n - 1n } })],
  ]
  test.each(unusual)('%s', async (_, make) => {
    const payTo = newAddress()
    const { body, payer } = await make(payTo)
    const visitor = newVisitor(harness.app)
    expect((await visitor.verify(body)).body).toEqual({ isValid: true, payer })
    expect((await visitor.settle(body)).body).toMatchObject({ success: true, payer })
    expect([await balanceOf(harness, payTo), await balanceOf(harness, payer)]).toEqual([1_000n, 999_000n])
    await until(async () => (await historyOf(harness, payTo)).length === 1, 'the history row')
    expect(await historyOf(harness, payTo)).toMatchObject([{ payer: payer.toLowerCase(), success: true, errorReason: null }])
  })
})
