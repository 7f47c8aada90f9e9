import fc from 'fast-check'
import { type Address, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../../devnet/chain'
import { exactProxyAddress } from '../../../devnet/networks'
import { frontRunPermit2 } from '../../support/chain/front-run'
import { createPermit2Forge, type Permit2Change, permit2Body } from '../../support/permit2/permit2'
import { SPELLINGS } from './signature-spellings'

type Json = Record<string, unknown>

/** The properties of a payment by Permit2; most equal those of a valid one. It has no version 1. */
export type Permit2Plan = {
  version: 2
  payer: 'rich' | 'poor' | 'unapproved' | 'spent' | 'coded'
  signer: 'owner' | 'other key'
  spelling: keyof typeof SPELLINGS
  to: 'payTo' | 'other'
  amount: 'asked' | 'less' | 'more'
  token: 'asked' | 'other'
  spender: 'proxy' | 'other' | 'none'
  until: 'an hour' | 'moments' | 'past'
  from: 'always' | 'later'
  claimed: 'asked' | 'another network' | 'another scheme'
  sponsoring:
    | 'none'
    | 'permit'
    | 'permit of another token'
    | 'expired permit'
    | 'permit in a bad form'
    | 'permit with another nonce'
  form: 'sound' | 'an amount in words' | 'no deadline'
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

/** Random plans; most differ from a valid payment in one or two properties. */
export const permit2Plan: fc.Arbitrary<Permit2Plan> = fc.record(
  {
    version: fc.constant(2 as const),
    payer: fc.oneof(
      { weight: 4, arbitrary: fc.constant('rich' as const) },
      { weight: 3, arbitrary: fc.constantFrom<Permit2Plan['payer']>('poor', 'unapproved', 'spent', 'coded') },
    ),
    signer: mostly<Permit2Plan['signer']>('owner', 'other key'),
    spelling: fc.oneof(
      { weight: 3, arbitrary: fc.constant('as it is' as const) },
      fc.constantFrom(...(Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[])),
    ),
    to: mostly<Permit2Plan['to']>('payTo', 'other'),
    amount: mostly<Permit2Plan['amount']>('asked', 'less', 'more'),
    token: mostly<Permit2Plan['token']>('asked', 'other'),
    spender: mostly<Permit2Plan['spender']>('proxy', 'other', 'none'),
    until: mostly<Permit2Plan['until']>('an hour', 'moments', 'past'),
    from: mostly<Permit2Plan['from']>('always', 'later'),
    claimed: mostly<Permit2Plan['claimed']>('asked', 'another network', 'another scheme'),
    sponsoring: fc.oneof(
      { weight: 2, arbitrary: fc.constant('none' as const) },
      fc.constantFrom<Permit2Plan['sponsoring']>(
        'permit',
        'permit of another token',
        'expired permit',
        'permit in a bad form',
        'permit with another nonce',
      ),
    ),
    form: mostly<Permit2Plan['form']>('sound', 'an amount in words', 'no deadline'),
  },
  { noNullPrototype: true },
)

/** The plan of a valid payment. */
export const soundPermit2Plan: Permit2Plan = {
  version: 2,
  payer: 'rich',
  signer: 'owner',
  spelling: 'as it is',
  to: 'payTo',
  amount: 'asked',
  token: 'asked',
  spender: 'proxy',
  until: 'an hour',
  from: 'always',
  claimed: 'asked',
  sponsoring: 'none',
  form: 'sound',
}

const CLAIMED = { asked: {}, 'another network': { network: 'eip155:8453' }, 'another scheme': { scheme: 'upto' } }
const FORMS = {
  sound: () => ({}),
  'an amount in words': (token: Address) => ({ permitted: { token, amount: 'a thousand' } }),
  'no deadline': () => ({ deadline: undefined }),
}

/** Makes the accounts that plans need; resolves with the token, and with a function that turns a plan into a body. */
export async function createPermit2Stage(
  chain: Chain,
): Promise<{ token: Address; bodyOf: (plan: Permit2Plan) => Promise<Json> }> {
  const forge = createPermit2Forge(chain)
  const [token, other] = [await forge.usual(), privateKeyToAccount(generatePrivateKey())]
  const [rich, poor, unapproved, spent, coded] = [
    await forge.paying(),
    await forge.paying({ balance: 0n }),
    await forge.paying({ approved: false }),
    await forge.paying({ signed: { nonce: 7n } }),
    await forge.paying({ payer: 'wallet' }),
  ]
  await chain.client.waitForTransactionReceipt({ hash: await frontRunPermit2(chain, spent.body) })
  const payers = { rich, poor, unapproved, spent, coded }

  return {
    token,
    async bodyOf(plan) {
      const { owner, payer: from } = payers[plan.payer]
      const now = BigInt(Math.floor(Date.now() / 1_000))
      const change: Permit2Change = {
        signer: plan.signer === 'owner' ? owner : other,
        signature: SPELLINGS[plan.spelling],
        signed: {
          ...(plan.payer === 'spent' ? { nonce: 7n } : {}),
          ...(plan.to === 'other' ? { to: other.address } : {}),
          ...(plan.token === 'other' ? { token: other.address } : {}),
          amount: { asked: 1_000n, less: 999n, more: 1_001n }[plan.amount],
          spender: { proxy: exactProxyAddress, other: other.address, none: zeroAddress }[plan.spender],
          deadline: { 'an hour': now + 3_600n, moments: now + 2n, past: now - 1_000n }[plan.until],
          validAfter: plan.from === 'later' ? now + 10_000n : 0n,
        },
        authorization: FORMS[plan.form](token),
        accepted: CLAIMED[plan.claimed],
        ...sponsoringOf(plan, forge, { other: other.address, now }),
      }
      return permit2Body(chain.chainId, { owner, from, token }, change)
    },
  }
}

function sponsoringOf(
  { sponsoring }: Permit2Plan,
  { permitting }: ReturnType<typeof createPermit2Forge>,
  { other, now }: { other: Address; now: bigint },
): Pick<Permit2Change, 'extensions'> {
  const extensions = {
    none: undefined,
    permit: permitting(),
    'permit of another token': permitting({}, { asset: other }),
    'expired permit': permitting({ deadline: now - 5n }),
    'permit in a bad form': permitting({}, { amount: '0x3e8' }),
    'permit with another nonce': permitting({ nonce: 3n }),
  }[sponsoring]
  return extensions ? { extensions } : {}
}
