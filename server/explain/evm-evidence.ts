import type { Facts } from '../chains/evm/facts'
import { displayAddress } from '../x402/addresses'
import { assetIn, type Token } from '../x402/networks/assets'
import { assetOn } from '../x402/networks/networks'
import type {
  AnyPermit2Payment,
  BatchEip3009Payment,
  BatchPermit2Payment,
  Eip3009Payment,
  EvmPayment,
  Payment,
  UptoPayment,
} from '../x402/payment'
import type { ChannelState } from '../x402/schemes/batch-settlement/channel'
import { type ChannelTerms, termsOf } from '../x402/schemes/batch-settlement/rules'
import type { Clock } from '../x402/schemes/evm-method'
import type { formRules, stateRules, termRules } from '../x402/schemes/exact/eip3009/rules'
import type * as permit2 from '../x402/schemes/exact/permit2/rules'
import type * as upto from '../x402/schemes/upto/rules'
import { beginning, ending, moment, money } from './units'

type Evidence = Record<string, string>
type Named<Rules extends readonly { name: string }[]> = Record<Rules[number]['name'], string>

/** What the form of a payment shows, by rule. */
export function formEvidence({ scheme, claimed, domain, network, transfer }: Payment): Evidence {
  return {
    payload_type:
      'sponsoring' in transfer ? 'The payload is a Permit2 authorization.' : 'The payload is not a Permit2 authorization.',
    scheme_served: `The requirements ask for the scheme "${scheme}".`,
    scheme: `The payment names "${claimed.scheme}", the requirements name "${scheme}".`,
    token_domain: domain
      ? `extra.name is "${domain.name}", extra.version is "${domain.version}".`
      : 'extra lacks a name or a version.',
    network: `The payment names ${claimed.network}, the requirements name ${network}.`,
  } satisfies Named<typeof formRules>
}

const evidence = {
  eip3009: (payment: Eip3009Payment, clock: Clock, facts?: Facts): Evidence => ({
    ...eip3009Terms(payment, clock),
    ...(facts ? eip3009State(payment, facts) : {}),
  }),
  permit2: (payment: AnyPermit2Payment, clock: Clock, facts?: Facts): Evidence => ({
    ...permit2Terms(payment, clock),
    ...(facts ? permit2State(payment, facts) : {}),
  }),
  upto: (payment: UptoPayment, clock: Clock, facts?: Facts): Evidence => ({
    ...evidence.permit2(payment, clock, facts),
    ...uptoTerms(payment),
  }),
}

/** What a payment and the chain show, by rule; without `facts`, what the payment alone shows. */
export function evidenceOf(payment: EvmPayment, clock: Clock, facts?: Facts): Evidence {
  const { transfer, ...rest } = payment
  switch (transfer.kind) {
    case 'eip3009':
      return evidence.eip3009({ ...rest, transfer }, clock, facts)
    case 'permit2':
      return evidence.permit2({ ...rest, transfer }, clock, facts)
    case 'upto':
      return evidence.upto({ ...rest, transfer }, clock, facts)
    case 'batch-eip3009':
      return { ...depositTerms({ ...rest, transfer }), ...(facts ? depositState({ ...rest, transfer }, facts) : {}) }
    case 'batch-permit2':
      return {
        ...evidence.permit2({ ...rest, transfer }, clock, facts),
        ...depositTerms({ ...rest, transfer }),
        ...(facts ? depositState({ ...rest, transfer }, facts) : {}),
      }
  }
}

function eip3009Terms({ transfer, ...payment }: Eip3009Payment, { earliest, latest }: Clock): Evidence {
  const { to, value, validBefore, validAfter } = transfer.authorization
  const own = assetOn(payment.network, payment.asset)?.domain
  const asset = assetIn(payment)
  return {
    recipient: `The authorization pays ${displayAddress(to)}; payTo is ${displayAddress(payment.payTo)}.`,
    valid_before: `The authorization ${ending(validBefore, latest)}: validBefore is ${moment(validBefore)}.`,
    valid_after: startOf(validAfter, earliest),
    amount: `The authorization is for ${money(value, asset)}; the requirements ask for ${money(payment.amount, asset)}.`,
    token_name: `extra.name is "${payment.domain?.name}"; the token calls itself "${own?.name}".`,
    token_version: `extra.version is "${payment.domain?.version}"; the token has "${own?.version}".`,
  } satisfies Named<typeof termRules>
}

function eip3009State({ network, asset, transfer }: Eip3009Payment, facts: Facts): Evidence {
  const { value, validAfter, nonce } = transfer.authorization
  const { used, block, blockTime, simulation } = facts
  return {
    asset_contract: `${displayAddress(asset)} has ${facts.assetHasCode ? '' : 'no '}code in block ${block}.`,
    eip3009: used === null ? 'The token did not say whether the nonce is used.' : 'The token answers authorizationState.',
    nonce: nonceEvidence(nonce, facts),
    balance: balanceEvidence(value, assetIn({ network, asset }), facts),
    valid_after_in_block: `${startOf(validAfter, blockTime)} Block ${block} counts.`,
    simulation: simulation.ok ? `The transfer succeeds on block ${block}.` : `The transfer fails on block ${block}.`,
  } satisfies Named<typeof stateRules>
}

const startOf = (validAfter: bigint, clock: bigint) =>
  validAfter === 0n
    ? 'The authorization is valid from the start: validAfter is 0.'
    : `The authorization is ${beginning(validAfter, clock)}: validAfter is ${moment(validAfter)}.`

const nonceEvidence = (nonce: string, { used, block }: Facts) =>
  used === null ? 'Its state is unknown.' : `The nonce ${nonce} is ${used ? 'used or cancelled' : 'unused'} in block ${block}.`

function balanceEvidence(value: bigint, token: Token, { balance, block }: Facts): string {
  if (balance === null) return 'The token did not name a balance.'
  const missing = balance < value ? `, which is ${money(value - balance, token)} more` : ''
  return `The payer has ${money(balance, token)} in block ${block}; the payment needs ${money(value, token)}${missing}.`
}

/** What this scheme adds to Permit2. */
function uptoTerms({ transfer, charge, ...payment }: UptoPayment): Evidence {
  const { facilitator, value } = transfer.authorization
  const maximum = money(value, assetIn(payment))
  const charged = charge === undefined ? 'nothing is charged yet' : `the charge is ${money(charge, assetIn(payment))}`
  return {
    sender: `Only ${displayAddress(facilitator)} may send it, which is ${transfer.ours === false ? 'no' : 'a'} signer here.`,
    charge: `The payer signed at most ${maximum}; ${charged}.`,
  } satisfies Record<Exclude<Rule<typeof upto>, Rule<typeof permit2>>, string>
}

/** What a request says of its channel, by rule: its terms, and what the chain says of it in a block that was read. */
export function channelEvidence(
  { network, asset, payTo, extra, vouched: { channel, writtenId, voucher } }: ChannelTerms,
  seen?: { state: ChannelState | null | undefined; block?: bigint },
): Evidence {
  const token = assetIn({ network, asset })
  const terms = {
    channel_id: `The payload names the channel ${writtenId}.`,
    receiver: `The channel pays ${displayAddress(channel.receiver)}; payTo is ${displayAddress(payTo)}.`,
    receiver_authorizer: `The channel names ${displayAddress(channel.receiverAuthorizer)}; extra.receiverAuthorizer is ${String(extra?.receiverAuthorizer)}.`,
    channel_token: `The channel holds ${displayAddress(channel.token)}; the asset is ${displayAddress(asset)}.`,
    withdraw_delay: `The channel waits ${channel.withdrawDelay} s; extra.withdrawDelay is ${String(extra?.withdrawDelay)}.`,
    withdraw_delay_range: `The channel waits ${channel.withdrawDelay} s.`,
  }
  if (!seen) return terms
  const { state, block } = seen
  const has = state
    ? `The channel has ${money(state.balance, token)}, of which ${money(state.totalClaimed, token)} are claimed${block === undefined ? '' : `, in block ${block}`}.`
    : 'The contract of the channels did not answer.'
  const over = `${has} The voucher is for ${money(voucher.maxClaimable, token)}.`
  return { ...terms, channel_state: has, channel_open: has, voucher_covered: over, voucher_new: over }
}

/** What a deposit says of its channel. */
function depositTerms(payment: BatchEip3009Payment | BatchPermit2Payment): Evidence {
  const { deposit, authorization } = payment.transfer
  const asset = assetIn(payment)
  return {
    ...channelEvidence(termsOf(payment)),
    permit_payer: `The authorization is of ${displayAddress(authorization.from)}; the channel is of ${displayAddress(deposit.channel.payer)}.`,
    witness: 'The authorization names the channel as its witness.',
    approval_sent: 'Approvals of payers are sent only where the operator pays for them.',
    amount: `The authorization is for ${money(authorization.value, asset)}; the deposit is ${money(deposit.amount, asset)}.`,
    permit_amount: `The deposit is ${money(deposit.amount, asset)}.`,
  }
}

function depositState(payment: BatchEip3009Payment | BatchPermit2Payment, facts: Facts): Evidence {
  const { channel: state, block, simulation } = facts
  return {
    ...channelEvidence(termsOf(payment), { state, block }),
    balance: balanceEvidence(payment.transfer.deposit.amount, assetIn(payment), facts),
    simulation: simulation.ok ? `The deposit succeeds on block ${block}.` : `The deposit fails on block ${block}.`,
  }
}

/** The names of a method's rules. */
type Rule<Method extends { formRules: readonly { name: string }[]; stateRules: readonly { name: string }[] }> =
  | Method['formRules'][number]['name']
  | Method['stateRules'][number]['name']

function permit2Terms({ transfer, ...payment }: AnyPermit2Payment, { earliest, latest }: Clock): Evidence {
  const { to, value, deadline, validAfter, spender, token } = transfer.authorization
  const asset = assetIn(payment)
  const form = {
    scheme: `The payment names "${payment.claimed.scheme}", the requirements name "${payment.scheme}".`,
    network: `The payment names ${payment.claimed.network}, the requirements name ${payment.network}.`,
    spender: `The authorization allows ${displayAddress(spender)} to make the transfer.`,
    recipient: `The authorization pays ${displayAddress(to)}; payTo is ${displayAddress(payment.payTo)}.`,
    deadline: `The authorization ${ending(deadline, latest)}: deadline is ${moment(deadline)}.`,
    valid_after: startOf(validAfter, earliest),
    amount: `The authorization is for ${money(value, asset)}; the requirements ask for ${money(payment.amount, asset)}.`,
    token: `The authorization is for ${displayAddress(token)}; the asset is ${displayAddress(payment.asset)}.`,
  } satisfies Named<typeof permit2.formRules>
  const sent = transfer.sponsoring === null ? 'none' : SENT[transfer.sponsoring.kind]
  const sponsoring = Object.fromEntries(SPONSORING_RULES.map((name) => [name, `The payment carries ${sent}.`]))
  return { ...form, ...sponsoring }
}

const SENT = {
  eip2612: 'a permit of the token for Permit2',
  approval: 'a signed transaction that approves Permit2',
  broken: 'an extension that cannot be read',
  unavailable: 'a signed transaction that is not sent here',
} as const

const SPONSORING_RULES = [
  'permit_format',
  'permit_from',
  'permit_asset',
  'permit_spender',
  'permit_deadline',
  'approval_format',
  'approval_from',
  'approval_asset',
  'approval_spender',
  'approval_transaction',
  'approval_target',
  'approval_call',
  'approval_data',
  'approval_of',
  'approval_signature',
  'approval_limits',
]

function permit2State({ network, asset, transfer }: AnyPermit2Payment, facts: Facts): Evidence {
  const { value, validAfter, nonce } = transfer.authorization
  const { block, blockTime, simulation, allowance, hasProxy } = facts
  const allowed =
    allowance === null
      ? 'The token did not name an allowance.'
      : `Permit2 may take ${money(allowance, assetIn({ network, asset }))} of the payer.`
  const outcome = simulation.ok ? `The transfer succeeds on block ${block}.` : `The transfer fails on block ${block}.`
  return {
    asset_contract: `${displayAddress(asset)} has ${facts.assetHasCode ? '' : 'no '}code in block ${block}.`,
    proxy: hasProxy ? 'The x402 proxy of Permit2 is there.' : 'The x402 proxy of Permit2 did not answer.',
    balance: balanceEvidence(value, assetIn({ network, asset }), facts),
    allowance: allowed,
    nonce: nonceEvidence(String(nonce), facts),
    valid_after_in_block: `${startOf(validAfter, blockTime)} Block ${block} counts.`,
    owner: outcome,
    destination: outcome,
    amount_zero: outcome,
    permit_amount: outcome,
    simulation: outcome,
  } satisfies Named<typeof permit2.stateRules>
}
