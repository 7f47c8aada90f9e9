import { zeroAddress } from 'viem'
import type { Caller } from '../accounts/caller'
import type { App } from '../app'
import { isServiceError } from '../base/errors'
import { isVoucher } from '../payments/channels/act'
import { admitChannel } from '../payments/channels/admission'
import { claimGroups, withEnded } from '../payments/channels/answers'
import type { Prepared } from '../payments/channels/prepared'
import { isAct, prepare } from '../payments/channels/settle'
import { type Acting, allowedBy } from '../payments/channels/terms'
import { readVoucher } from '../payments/channels/verify'
import type { EvmFacilitator } from '../payments/facilitators'
import { displayAddress } from '../x402/addresses'
import { assetIn } from '../x402/networks/assets'
import { networkRow } from '../x402/networks/networks'
import { failure } from '../x402/reasons/reasons'
import type { ChannelRequest, VoucherPayload } from '../x402/schemes/batch-settlement/requests'
import { channelRules, namedRules, voucherStateRules } from '../x402/schemes/batch-settlement/rules'
import { type Check, checksOf, failed, NO_VERDICT, noneReached, passed, type Reading, type Verdict } from './checks'
import { channelEvidence } from './evm-evidence'
import { money, sentence } from './units'
import { invalid, reasonOf, refused, SCREENING, UNASKED, VALID } from './verdicts'

type Judged = { checks: Check[]; verdict: Verdict }

/**
 * Judges a request about channels as verify does, and reads every rule behind it; one that only settle takes is judged as settle does. Nothing
 * is counted, screened, sent or written.
 */
export async function judgeChannel(app: App, caller: Caller, request: ChannelRequest): Promise<Judged> {
  const form = passed('format', FORMS[request.payload.type])
  const admitted = admittedAs(app, caller, request)
  if (isVoucher(request)) {
    const { checks, verdict } = await judgeVouched(admitted, request)
    return { checks: [form, admitted.check, ...checks, SCREENING], verdict }
  }
  const before = [admitted.check, ...namedChecks(request)]
  const holds = before.every(({ status }) => status === 'passed')
  return { checks: [form, ...before, ...(holds ? await actChecks(app, caller, admitted, request) : [])], verdict: NO_VERDICT }
}

const FORMS = {
  voucher: 'It is a voucher: it pays a request out of a channel.',
  refund: 'Its payer asks for what is left in a channel.',
  'enriched refund': "The merchant's server asks to refund a channel. Settle judges it.",
  claim: 'It claims vouchers of channels. Verify does not judge it, settle does.',
  settle: 'It pays out what was claimed for a receiver. Verify does not judge it, settle does.',
} as const satisfies Record<ChannelRequest['payload']['type'], string>

type Admitted = { check: Check; facilitator: EvmFacilitator | null; reason: string | null }

function admittedAs(app: App, caller: Caller, request: ChannelRequest): Admitted {
  const { title } = networkRow(request.network)
  try {
    const facilitator = admitChannel(app, caller, request)
    return { facilitator, reason: null, check: passed('network_served', `The requirements name ${title}.`) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    const reason = reasonOf(error)
    const name = reason === 'pay_to_not_allowed' ? 'key_pay_to' : reason === 'invalid_network' ? 'network_served' : 'facilitator'
    return { facilitator: null, reason, check: refused(name, error) }
  }
}

function namedChecks(request: ChannelRequest): Check[] {
  const { scheme, claimed, network } = request
  const evidence: Record<string, string> = {
    scheme: `The payload names "${claimed.scheme}", the requirements name "${scheme}".`,
    network: `The payload names ${claimed.network}, the requirements name ${network}.`,
  }
  const readings = namedRules.map(
    ({ name, broken, reason }): Reading => ({
      name,
      fault: broken(request) ? failure(reason()) : null,
    }),
  )
  return checksOf(readings, (name) => evidence[name] ?? null)
}

const STATE_NAMES = voucherStateRules.map(({ name }) => name)

async function judgeVouched({ facilitator, reason }: Admitted, request: ChannelRequest<VoucherPayload>): Promise<Judged> {
  const { payload, ...rest } = request
  const terms = { ...rest, vouched: payload }
  const evidence = channelEvidence(terms)
  const readings = channelRules.map(
    (rule): Reading => ({
      name: rule.name,
      fault: rule.broken(terms) ? failure(rule.reason()) : null,
    }),
  )
  const form = [...namedChecks(request), ...checksOf(readings, (name) => evidence[name] ?? null)]
  const broken = form.find(({ status }) => status === 'failed')
  if (!facilitator || broken) {
    const unread = noneReached(['signature', ...STATE_NAMES], UNASKED.evidence)
    return { checks: [...form, UNASKED, ...unread], verdict: invalid(reason ?? broken?.reason ?? null) }
  }
  try {
    const onChain = await chainChecks(facilitator, request)
    const fault = onChain.find(({ status }) => status === 'failed')
    return { checks: [...form, ...onChain], verdict: fault ? invalid(fault.reason) : VALID }
  } catch (error) {
    if (!isServiceError(error)) throw error
    const unread = noneReached(['signature', ...STATE_NAMES], 'The chain could not be read.')
    return { checks: [...form, refused('chain', error), ...unread], verdict: invalid(reasonOf(error)) }
  }
}

async function chainChecks(facilitator: EvmFacilitator, request: ChannelRequest<VoucherPayload>): Promise<Check[]> {
  const { payload, ...rest } = request
  const { approves, cosigned, state } = await readVoucher(facilitator, request)
  const { payer, payerAuthorizer } = payload.channel
  const signer =
    payerAuthorizer === zeroAddress
      ? `The voucher must be signed by the payer, ${displayAddress(payer)}.`
      : `The voucher must be signed by ${displayAddress(payerAuthorizer)}, which the channel names.`
  const { message } = failure(cosigned.reason)
  const signature = approves
    ? passed('signature', `${signer} It is.`)
    : failed('signature', cosigned.reason, `${sentence(message)} ${signer}`)
  const readings = voucherStateRules.map(({ name, reason, broken }): Reading => {
    const how = broken(payload, state)
    return {
      name,
      ...(name === 'channel_state' ? {} : { needs: 'channel_state' }),
      fault: how ? failure(reason, how === true ? undefined : how) : null,
    }
  })
  const evidence = channelEvidence({ ...rest, vouched: payload }, { state })
  const { title } = networkRow(request.network)
  return [
    passed('chain', `The newest block of ${title} was read.`),
    signature,
    ...checksOf(readings, (name) => evidence[name] ?? null),
  ]
}

/** The most rows of a claim that are named. */
const ROWS_MAX = 20

/** What settle would say of an act on the newest block; nothing of a voucher. */
async function actChecks(app: App, asked: Caller, { facilitator }: Admitted, request: ChannelRequest): Promise<Check[]> {
  if (!facilitator || !isAct(request)) return []
  try {
    const caller = await withEnded(app, asked, request)
    const groups = await claimGroups(app, caller, request)
    const parts = groups.length < 2 ? [request] : groups
    const judged = await Promise.all(parts.map((part) => judgeAct(app, caller, facilitator, part)))
    const rows = judged
      .flatMap(leftOutOf)
      .slice(0, ROWS_MAX)
      .map(({ channelId, error, claimed }) => {
        const rest = claimed === undefined ? '' : ` Its total can be ${money(claimed, assetIn(request))}.`
        return failed('row', ROW_REASON, `The row of the channel ${channelId} fails on chain: ${error}.${rest}`)
      })
    return [...judged.map((one) => actCheck(request, one)), ...rows]
  } catch (error) {
    if (!isServiceError(error)) throw error
    return [refused('act', error)]
  }
}

/** Judges one transaction of an act as settle does: first by what its requirements allow. */
async function judgeAct(
  app: App,
  caller: Caller,
  facilitator: EvmFacilitator,
  request: ChannelRequest<Acting>,
): Promise<Prepared> {
  const allowed = allowedBy(request)
  if ('failed' in allowed) return allowed
  const prepared = await prepare(app, caller, facilitator, allowed.request)
  const leftOut = [...allowed.leftOut, ...leftOutOf(prepared)]
  return 'act' in prepared ? { act: { ...prepared.act, leftOut } } : { ...prepared, leftOut }
}

const leftOutOf = (prepared: Prepared) => ('act' in prepared ? prepared.act.leftOut : (prepared.leftOut ?? []))

function actCheck(request: ChannelRequest, prepared: Prepared): Check {
  if ('failed' in prepared) return failed('act', prepared.failed.reason, sentence(prepared.failed.message))
  if ('done' in prepared) return passed('act', `It was done before, in ${prepared.done}.`)
  return passed('act', landing(request, prepared.act.amount))
}

const ROW_REASON = 'invalid_batch_settlement_evm_claim_simulation_failed'

const landing = (request: ChannelRequest, amount: bigint) =>
  `It would land on the newest block, over ${money(amount, assetIn(request))}.`
