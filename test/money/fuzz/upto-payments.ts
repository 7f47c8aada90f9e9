import fc from 'fast-check'
import { type Address, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../../devnet/chain'
import { uptoProxyAddress } from '../../../devnet/networks'
import { frontRunPermit2 } from '../../support/chain/front-run'
import { permit2Body } from '../../support/permit2/permit2'
import { createUptoForge, MAXIMUM } from '../../support/permit2/upto'
import { SPELLINGS } from './signature-spellings'

type Json = Record<string, unknown>

/** The properties of a payment by upto; most equal those of a valid one. It has no version 1. */
export type UptoPlan = {
  version: 2
  surface: 'verify' | 'settle'
  /** Has: more than the maximum, nothing, or the charge alone; did not approve, has used the nonce, or has code. */
  payer: 'rich' | 'poor' | 'short' | 'unapproved' | 'spent' | 'coded'
  charge: 'nothing' | 'a part' | 'all' | 'more'
  facilitator: 'ours' | 'other'
  signer: 'owner' | 'other key'
  spelling: keyof typeof SPELLINGS
  to: 'payTo' | 'other'
  token: 'asked' | 'other'
  spender: 'proxy' | 'other' | 'none'
  until: 'an hour' | 'moments' | 'past'
  from: 'always' | 'later'
  claimed: 'asked' | 'another network' | 'another scheme'
  form: 'sound' | 'an amount in words' | 'no deadline' | 'no facilitator'
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Random plans; most differ from a valid payment in one or two properties. */
export const uptoPlan: fc.Arbitrary<UptoPlan> = fc.record(
  {
    version: fc.constant(2 as const),
    surface: fc.constantFrom<UptoPlan['surface']>('verify', 'settle'),
    payer: fc.oneof(
      { weight: 4, arbitrary: fc.constant('rich' as const) },
      { weight: 3, arbitrary: fc.constantFrom<UptoPlan['payer']>('poor', 'short', 'unapproved', 'spent', 'coded') },
    ),
    charge: fc.constantFrom<UptoPlan['charge']>('nothing', 'a part', 'all', 'more'),
    facilitator: mostly<UptoPlan['facilitator']>('ours', 'other'),
    signer: mostly<UptoPlan['signer']>('owner', 'other key'),
    spelling: fc.oneof(
      { weight: 3, arbitrary: fc.constant('as it is' as const) },
      fc.constantFrom(...(Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[])),
    ),
    to: mostly<UptoPlan['to']>('payTo', 'other'),
    token: mostly<UptoPlan['token']>('asked', 'other'),
    spender: mostly<UptoPlan['spender']>('proxy', 'other', 'none'),
    until: mostly<UptoPlan['until']>('an hour', 'moments', 'past'),
    from: mostly<UptoPlan['from']>('always', 'later'),
    claimed: mostly<UptoPlan['claimed']>('asked', 'another network', 'another scheme'),
    form: mostly<UptoPlan['form']>('sound', 'an amount in words', 'no deadline', 'no facilitator'),
  },
  { noNullPrototype: true },
)

/** The plan of a payment that is valid, and of which a part is charged. */
export const soundUptoPlan: UptoPlan = {
  version: 2,
  surface: 'verify',
  payer: 'rich',
  charge: 'a part',
  facilitator: 'ours',
  signer: 'owner',
  spelling: 'as it is',
  to: 'payTo',
  token: 'asked',
  spender: 'proxy',
  until: 'an hour',
  from: 'always',
  claimed: 'asked',
  form: 'sound',
}

const CHARGES = { nothing: 0n, 'a part': 700n, all: MAXIMUM, more: MAXIMUM + 1n }
const BALANCES = { rich: 1_000_000n, poor: 0n, short: 700n, unapproved: 1_000_000n, spent: 1_000_000n, coded: 1_000_000n }
const CLAIMED = { asked: {}, 'another network': { network: 'eip155:8453' }, 'another scheme': { scheme: 'exact' } }
const FORMS = {
  sound: {},
  'an amount in words': { permitted: { token: zeroAddress, amount: 'a thousand' } },
  'no deadline': { deadline: undefined },
  'no facilitator': { witness: { to: zeroAddress, validAfter: '0' } },
}

/** Makes bodies of plans for a facilitator on a chain, each of a new payer. */
export function uptoBodies(chain: Chain, facilitator: () => Address): (plan: UptoPlan) => Promise<Json> {
  const forge = createUptoForge(chain)
  const other = privateKeyToAccount(generatePrivateKey())
  return async (plan) => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const payment = await forge.paying({
      facilitator: plan.facilitator === 'ours' ? facilitator() : other.address,
      balance: BALANCES[plan.payer],
      approved: plan.payer !== 'unapproved',
      wallet: plan.payer === 'coded',
      ...(plan.signer === 'owner' ? {} : { signer: other }),
      signature: SPELLINGS[plan.spelling],
      signed: {
        ...(plan.to === 'other' ? { to: other.address } : {}),
        ...(plan.token === 'other' ? { token: other.address } : {}),
        spender: { proxy: uptoProxyAddress, other: other.address, none: zeroAddress }[plan.spender],
        deadline: { 'an hour': now + 3_600n, moments: now + 2n, past: now - 1_000n }[plan.until],
        validAfter: plan.from === 'later' ? now + 10_000n : 0n,
      },
      authorization: FORMS[plan.form],
      accepted: CLAIMED[plan.claimed],
    })
    if (plan.payer === 'spent') {
      const { owner, payer: from, nonce } = payment
      const spending = await permit2Body(chain.chainId, { owner, from, token: chain.usdc }, { signed: { nonce } })
      await chain.client.waitForTransactionReceipt({ hash: await frontRunPermit2(chain, spending) })
    }
    return plan.surface === 'verify' ? payment.body : payment.charging(CHARGES[plan.charge])
  }
}
