import fc from 'fast-check'
import { toHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type ChannelForge, DEPOSIT, type DepositChange, PRICE } from '../../support/batch-settlement/channels'
import { asHex, SPELLINGS } from './signature-spellings'

type Json = Record<string, unknown>
type Spelling = keyof typeof SPELLINGS

/** The properties of a payload about a channel; most equal those of a valid one. It has no version 1. */
export type BatchPlan = {
  version: 2
  kind: 'deposit' | 'voucher' | 'refund'
  method: 'eip3009' | 'permit2'
  /** Has: more than the deposit, or less; did not approve, or has code. */
  payer: 'rich' | 'poor' | 'unapproved' | 'coded'
  /** Of a voucher or a refund: its channel has a deposit, none, claims, or a withdrawal of most. */
  channel: 'open' | 'absent' | 'claimed' | 'withdrawing'
  most: 'nothing' | 'a price' | 'what is claimed' | 'all' | 'more'
  voucherSigner: 'owner' | 'other key'
  voucherSpelling: Spelling
  /** Of the deposit's authorization. */
  signer: 'owner' | 'other key'
  spelling: Spelling
  until: 'an hour' | 'moments' | 'past'
  from: 'always' | 'later'
  id: 'its own' | 'another' | 'in capitals'
  authorizer: 'asked' | 'other' | 'none' | 'absent'
  delay: 'asked' | 'other' | 'absent' | 'too short'
  payTo: 'receiver' | 'other'
  asset: 'asked' | 'other'
  claimed: 'asked' | 'another network' | 'another scheme'
  form: 'sound' | 'an amount in words' | 'an amount in hex' | 'no voucher' | 'another type' | 'no deposit'
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const spelled = fc.oneof(
  { weight: 6, arbitrary: fc.constant('as it is' as const) },
  fc.constantFrom(...(Object.keys(SPELLINGS) as Spelling[])),
)

/** Random plans; most differ from a valid payload in one or two properties. */
export const batchPlan: fc.Arbitrary<BatchPlan> = fc.record(
  {
    version: fc.constant(2 as const),
    kind: fc.constantFrom<BatchPlan['kind']>('deposit', 'deposit', 'voucher', 'refund'),
    method: fc.constantFrom<BatchPlan['method']>('eip3009', 'permit2'),
    payer: fc.oneof(
      { weight: 4, arbitrary: fc.constant('rich' as const) },
      { weight: 2, arbitrary: fc.constantFrom<BatchPlan['payer']>('poor', 'unapproved', 'coded') },
    ),
    channel: fc.constantFrom<BatchPlan['channel']>('open', 'open', 'absent', 'claimed', 'withdrawing'),
    most: fc.constantFrom<BatchPlan['most']>('nothing', 'a price', 'a price', 'what is claimed', 'all', 'more'),
    voucherSigner: mostly<BatchPlan['voucherSigner']>('owner', 'other key'),
    voucherSpelling: spelled,
    signer: mostly<BatchPlan['signer']>('owner', 'other key'),
    spelling: spelled,
    until: mostly<BatchPlan['until']>('an hour', 'moments', 'past'),
    from: mostly<BatchPlan['from']>('always', 'later'),
    id: mostly<BatchPlan['id']>('its own', 'another', 'in capitals'),
    authorizer: mostly<BatchPlan['authorizer']>('asked', 'other', 'none', 'absent'),
    delay: mostly<BatchPlan['delay']>('asked', 'other', 'absent', 'too short'),
    payTo: mostly<BatchPlan['payTo']>('receiver', 'other'),
    asset: mostly<BatchPlan['asset']>('asked', 'other'),
    claimed: mostly<BatchPlan['claimed']>('asked', 'another network', 'another scheme'),
    form: mostly<BatchPlan['form']>(
      'sound',
      'an amount in words',
      'an amount in hex',
      'no voucher',
      'another type',
      'no deposit',
    ),
  },
  { noNullPrototype: true },
)

/** The plan of a valid deposit. */
export const soundBatchPlan: BatchPlan = {
  version: 2,
  kind: 'deposit',
  method: 'eip3009',
  payer: 'rich',
  channel: 'open',
  most: 'a price',
  voucherSigner: 'owner',
  voucherSpelling: 'as it is',
  signer: 'owner',
  spelling: 'as it is',
  until: 'an hour',
  from: 'always',
  id: 'its own',
  authorizer: 'asked',
  delay: 'asked',
  payTo: 'receiver',
  asset: 'asked',
  claimed: 'asked',
  form: 'sound',
}

const CLAIMED = 3_000n
const MOST = { nothing: 0n, 'a price': PRICE, 'what is claimed': CLAIMED, all: DEPOSIT, more: DEPOSIT + 1n }
const ACCEPTED = { asked: {}, 'another network': { network: 'eip155:8453' }, 'another scheme': { scheme: 'exact' } }

/** What a plan needs of the world: a forge, and acts of a payer and a merchant on the chain. */
type BatchWorld = {
  forge: ChannelForge
  /** Withdraws so much of a channel as its payer. */
  withdraw: (
    owner: Parameters<ChannelForge['row']>[1],
    config: Parameters<ChannelForge['row']>[0],
    amount: bigint,
  ) => Promise<void>
}

/** Makes bodies of plans, each of a new payer. */
export function batchBodies({ forge, withdraw }: BatchWorld): (plan: BatchPlan) => Promise<Json> {
  const other = privateKeyToAccount(generatePrivateKey())
  return async (plan) => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const end = { 'an hour': now + 3_600n, moments: now + 2n, past: now - 1_000n }[plan.until]
    const delay = plan.delay === 'too short' ? 899 : 900
    const who = await forge.payer({
      balance: plan.payer === 'poor' ? DEPOSIT - 1n : 1_000_000n,
      approved: plan.payer !== 'unapproved',
      wallet: plan.payer === 'coded',
    })
    const change: DepositChange = {
      method: plan.method,
      maxClaimable: MOST[plan.most],
      config: { withdrawDelay: delay },
      validBefore: end,
      ...(plan.from === 'later' ? { validAfter: now + 10_000n } : {}),
      signed: { deadline: end },
      ...(plan.signer === 'owner' ? {} : { signer: other }),
      ...(plan.voucherSigner === 'owner' ? {} : { voucherSigner: other }),
      signature: SPELLINGS[plan.spelling],
      voucherSignature: SPELLINGS[plan.voucherSpelling],
      payload: (good) => formed(plan, named(plan, good)),
      extra: {
        ...(plan.method === 'permit2' && plan.kind === 'deposit' ? { assetTransferMethod: 'permit2' } : {}),
        ...{
          asked: {},
          other: { receiverAuthorizer: other.address },
          none: { receiverAuthorizer: zeroAddress },
          absent: { receiverAuthorizer: undefined },
        }[plan.authorizer],
        withdrawDelay: { asked: delay, 'too short': delay, other: 901, absent: undefined }[plan.delay],
      },
      requirements: {
        ...(plan.payTo === 'other' ? { payTo: other.address } : {}),
        ...(plan.asset === 'other' ? { asset: other.address } : {}),
      },
      accepted: ACCEPTED[plan.claimed],
    }
    if (plan.kind === 'deposit') return (await forge.deposit(who, change)).body
    // A delay that the contract refuses has no channel.
    const config = forge.configOf(who, change.config)
    if (plan.channel !== 'absent' && plan.payer !== 'coded' && plan.payer !== 'poor' && delay === 900) {
      await forge.depositDirectly(who)
      if (plan.channel === 'claimed') await forge.claimDirectly([await forge.row(config, who.owner, CLAIMED)])
      if (plan.channel === 'withdrawing') await withdraw(who.owner, config, DEPOSIT - PRICE)
    }
    return forge.voucher(config, who.owner, MOST[plan.most], { ...change, type: plan.kind })
  }
}

function named({ id }: BatchPlan, good: Json): Json {
  if (id === 'its own') return good
  const voucher = Object(good.voucher)
  const channelId = id === 'another' ? toHex(1, { size: 32 }) : asHex(`0x${String(voucher.channelId).slice(2).toUpperCase()}`)
  return { ...good, voucher: { ...voucher, channelId } }
}

function formed({ form, kind }: BatchPlan, good: Json): Json {
  const voucher = Object(good.voucher)
  switch (form) {
    case 'sound':
      return good
    case 'an amount in words':
      return { ...good, voucher: { ...voucher, maxClaimableAmount: 'a thousand' } }
    case 'an amount in hex':
      return { ...good, voucher: { ...voucher, maxClaimableAmount: toHex(BigInt(voucher.maxClaimableAmount)) } }
    case 'no voucher':
      return { ...good, voucher: undefined }
    case 'another type':
      return { ...good, type: `${kind}s` }
    case 'no deposit':
      return { ...good, deposit: undefined }
  }
}
