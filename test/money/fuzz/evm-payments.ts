import fc from 'fast-check'
import { type Address, type Hex, type LocalAccount, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Authorization, authorization, usdcDomain } from '../../../devnet/authorization'
import { createForge } from '../../support/payloads/forge'
import { signed, v1Body, v2Body } from '../../support/payloads/payments'
import type { Harness } from '../../support/service/harness'
import { asHex, SPELLINGS } from './signature-spellings'

type Json = Record<string, unknown>

/** The properties of a Base Sepolia payment; most equal those of a valid one. */
export type EvmPlan = {
  version: 1 | 2
  payer: 'rich' | 'short' | 'poor' | 'blocked' | 'spent' | 'cancelled' | 'coded'
  signer: 'owner' | 'other key'
  spelling: keyof typeof SPELLINGS
  to: 'payTo' | 'other'
  value: 'asked' | 'less' | 'more' | 'most'
  until: 'an hour' | 'moments' | 'past' | 'forever'
  from: 'always' | 'later' | 'never'
  /** The EIP-712 domain of the signature, and that of the requirements. */
  domain: { signed: keyof typeof DOMAINS; asked: keyof typeof DOMAINS }
  payTo: 'merchant' | 'blocked merchant' | 'payer' | 'merchant in lower case'
  amount: 'usual' | 'tiny' | 'huge'
  asset: 'usdc' | 'usdc in lower case' | 'no contract' | 'contract' | 'no address'
  network: 'own' | 'foreign' | 'other' | 'in the payload'
  scheme: 'exact' | 'deferred' | 'unheard-of' | 'in the payload'
  form: keyof typeof FORMS
}

const DOMAINS = {
  own: { name: 'USDC', version: '2' },
  mainnet: { name: 'USD Coin', version: '2' },
  outdated: { name: 'USDC', version: '1' },
  none: null,
}

/** Malformed variants of a body. */
const FORMS = {
  sound: (body: Json) => body,
  'a value in hex': (body: Json) => inAuthorization(body, { value: '0x3e8' }),
  'a value in words': (body: Json) => inAuthorization(body, { value: 'a thousand' }),
  'a negative time': (body: Json) => inAuthorization(body, { validAfter: '-1' }),
  'a short nonce': (body: Json) => inAuthorization(body, { nonce: '0x1234' }),
  'a payer without 0x': (body: Json) => inAuthorization(body, { from: '1234' }),
  'no signature': (body: Json) => inPayload(body, { signature: undefined }),
  'no authorization': (body: Json) => inPayload(body, { authorization: undefined }),
  'version 3': (body: Json) => ({
    ...body,
    x402Version: 3,
    paymentPayload: { ...recordOf(body.paymentPayload), x402Version: 3 },
  }),
} satisfies Record<string, (body: Json) => Json>

// Most properties are valid, so that a rule for the invalid one is reached.
const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

/** Random plans; most differ from a valid payment in one or two properties. */
export const evmPlan: fc.Arbitrary<EvmPlan> = fc.record(
  {
    version: fc.constantFrom<1 | 2>(1, 2),
    payer: fc.oneof(
      { weight: 4, arbitrary: fc.constant('rich' as const) },
      { weight: 3, arbitrary: fc.constantFrom<EvmPlan['payer']>('short', 'poor', 'blocked', 'spent', 'cancelled', 'coded') },
    ),
    signer: mostly<EvmPlan['signer']>('owner', 'other key'),
    spelling: fc.oneof({ weight: 3, arbitrary: fc.constant('as it is' as const) }, fc.constantFrom(...keysOf(SPELLINGS))),
    to: mostly<EvmPlan['to']>('payTo', 'other'),
    value: mostly<EvmPlan['value']>('asked', 'less', 'more', 'most'),
    until: mostly<EvmPlan['until']>('an hour', 'moments', 'past', 'forever'),
    from: mostly<EvmPlan['from']>('always', 'later', 'never'),
    domain: fc.record({
      signed: mostly<keyof typeof DOMAINS>('own', 'mainnet', 'outdated'),
      asked: mostly<keyof typeof DOMAINS>('own', 'mainnet', 'outdated', 'none'),
    }),
    payTo: mostly<EvmPlan['payTo']>('merchant', 'blocked merchant', 'payer', 'merchant in lower case'),
    amount: mostly<EvmPlan['amount']>('usual', 'tiny', 'huge'),
    asset: mostly<EvmPlan['asset']>('usdc', 'usdc in lower case', 'no contract', 'contract', 'no address'),
    network: mostly<EvmPlan['network']>('own', 'foreign', 'other', 'in the payload'),
    scheme: mostly<EvmPlan['scheme']>('exact', 'deferred', 'unheard-of', 'in the payload'),
    form: mostly<EvmPlan['form']>('sound', ...keysOf(FORMS)),
  },
  { noNullPrototype: true },
)

/** The plan of a valid payment. */
export const soundEvmPlan: EvmPlan = {
  version: 2,
  payer: 'rich',
  signer: 'owner',
  spelling: 'as it is',
  to: 'payTo',
  value: 'asked',
  until: 'an hour',
  from: 'always',
  domain: { signed: 'own', asked: 'own' },
  payTo: 'merchant',
  amount: 'usual',
  asset: 'usdc',
  network: 'own',
  scheme: 'exact',
  form: 'sound',
}

const AMOUNTS = { usual: 1_000n, tiny: 99n, huge: 10n ** 15n }
const MOST = 2n ** 256n - 1n

/** Makes the accounts that plans need; resolves with a function that turns a plan into a body. */
export async function createEvmStage(harness: Harness): Promise<(plan: EvmPlan) => Promise<Json>> {
  const { chain } = harness
  const forge = createForge(harness)
  const rich = () => harness.payer(10n ** 12n)
  const [merchant, blockedMerchant, other, unrelated, owner] = Array.from({ length: 5 }, () =>
    privateKeyToAccount(generatePrivateKey()),
  )
  if (!merchant || !blockedMerchant || !other || !unrelated || !owner) throw new Error('plans need five accounts')
  const accounts = { rich: await rich(), short: await harness.payer(99n), poor: await harness.payer(0n), blocked: await rich() }
  const [spent, cancelled] = [await rich(), await rich()]
  const coded = await chain.deployWallet(owner.address)
  await chain.mint(coded, 10n ** 12n)
  for (const { address } of [accounts.blocked, blockedMerchant]) await forge.onToken('blacklist', [address, true])
  const used = await signed(spent, { to: other.address })
  const { from, to, value, validAfter, validBefore, nonce } = used.authorization
  await forge.onToken('transferWithAuthorization', [from, to, value, validAfter, validBefore, nonce, used.signature])
  const cancelledNonce = toHex(7n, { size: 32 })
  await forge.onToken('cancelAuthorization', [cancelled.address, cancelledNonce, await cancellation(cancelled, cancelledNonce)])

  const parts: Record<EvmPlan['payer'], { owner: LocalAccount; from: Address; nonce?: Hex }> = {
    rich: { owner: accounts.rich, from: accounts.rich.address },
    short: { owner: accounts.short, from: accounts.short.address },
    poor: { owner: accounts.poor, from: accounts.poor.address },
    blocked: { owner: accounts.blocked, from: accounts.blocked.address },
    spent: { owner: spent, from: spent.address, nonce },
    cancelled: { owner: cancelled, from: cancelled.address, nonce: cancelledNonce },
    coded: { owner, from: coded },
  }

  return async (plan) => {
    const { owner, ...part } = parts[plan.payer]
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const recipients = { merchant: merchant.address, 'blocked merchant': blockedMerchant.address, payer: part.from }
    const payTo = plan.payTo === 'merchant in lower case' ? asHex(merchant.address.toLowerCase()) : recipients[plan.payTo]
    const amount = AMOUNTS[plan.amount]
    const message = authorization({
      ...part,
      to: plan.to === 'payTo' ? payTo : other.address,
      value: { asked: amount, less: amount - 1n, more: amount + 1n, most: MOST }[plan.value],
      validAfter: { always: 0n, later: now + 10_000n, never: MOST }[plan.from],
      validBefore: { 'an hour': now + 3_600n, moments: now + 2n, past: now - 1_000n, forever: MOST }[plan.until],
    })
    const signature = await signUnder(
      DOMAINS[plan.domain.signed] ?? DOMAINS.own,
      plan.signer === 'owner' ? owner : unrelated,
      message,
    )
    const payment = { authorization: message, signature: SPELLINGS[plan.spelling](signature) }
    const assets = {
      usdc: chain.usdc,
      'usdc in lower case': chain.usdc.toLowerCase(),
      'no contract': unrelated.address,
      contract: chain.multicall,
      'no address': '0x12',
    }
    const asked = {
      payTo,
      asset: assets[plan.asset],
      extra: DOMAINS[plan.domain.asked] ?? {},
      ...networkOf(plan, 'asked'),
      ...schemeOf(plan, 'asked'),
    }
    const claimed = { ...networkOf(plan, 'claimed'), ...schemeOf(plan, 'claimed') }
    const body =
      plan.version === 1
        ? v1Body(payment, { requirements: { ...asked, maxAmountRequired: String(amount) }, payload: claimed })
        : v2Body(payment, { requirements: { ...asked, amount: String(amount) }, accepted: claimed })
    return FORMS[plan.form](body)
  }
}

type Side = 'asked' | 'claimed'

const NETWORKS = { foreign: { 1: 'polygon', 2: 'eip155:137' }, other: { 1: 'base', 2: 'eip155:8453' } }

function networkOf({ network, version }: EvmPlan, side: Side): Json {
  if (network === 'own') return {}
  if (network === 'in the payload') return side === 'asked' ? {} : { network: NETWORKS.other[version] }
  return { network: NETWORKS[network][version] }
}

function schemeOf({ scheme }: EvmPlan, side: Side): Json {
  if (scheme === 'in the payload') return side === 'asked' ? {} : { scheme: 'upto' }
  return { scheme }
}

function signUnder(domain: { name: string; version: string }, account: LocalAccount, message: Authorization): Promise<Hex> {
  const uint = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
  const addresses = ['from', 'to'].map((name) => ({ name, type: 'address' }))
  const types = { TransferWithAuthorization: [...addresses, ...uint, { name: 'nonce', type: 'bytes32' }] }
  return account.signTypedData({
    domain: { ...usdcDomain(84532), ...domain },
    types,
    primaryType: 'TransferWithAuthorization',
    message,
  })
}

function cancellation(account: LocalAccount, nonce: Hex): Promise<Hex> {
  const types = {
    CancelAuthorization: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
  }
  const message = { authorizer: account.address, nonce }
  return account.signTypedData({ domain: usdcDomain(84532), types, primaryType: 'CancelAuthorization', message })
}

function inPayload(body: Json, changes: Json): Json {
  const payload = recordOf(body.paymentPayload)
  return { ...body, paymentPayload: { ...payload, payload: { ...recordOf(payload.payload), ...changes } } }
}

function inAuthorization(body: Json, changes: Json): Json {
  const { authorization } = recordOf(recordOf(body.paymentPayload).payload)
  return inPayload(body, { authorization: { ...recordOf(authorization), ...changes } })
}

const recordOf = (value: unknown): Json => Object(value)
