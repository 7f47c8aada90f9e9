import type { Caller } from '../accounts/caller'
import { type App, unixNow } from '../app'
import { isServiceError, type ServiceError } from '../base/errors'
import { admissionRules, admit, keyMaximum, minimumAmount } from '../payments/admission'
import { duplicate, findKnown } from '../payments/duplicates'
import { facilitatorFor } from '../payments/facilitators'
import { asServed, type Examined, examine, judgeStatically, rulesOf, withKnownSender } from '../payments/judging'
import { withUptoService } from '../payments/upto-svm/served'
import { displayAddress } from '../x402/addresses'
import { assetIn } from '../x402/networks/assets'
import { networkRow, readNetwork } from '../x402/networks/networks'
import { parseRequest } from '../x402/parse'
import { type Payment, payerIn } from '../x402/payment'
import type { Failure } from '../x402/reasons/reasons'
import { judgeChannel } from './channels'
import { type Check, checksOf, failed, noneReached, passed, type Reading, type Verdict } from './checks'
import { COPY_ALL, cutOffRefusal } from './cut-off'
import { EVM_CHECKS, evmChecks } from './evm'
import { nearNetwork } from './near-network'
import type { Json } from './recognize'
import { SVM_CHECKS, svmChecks } from './svm'
import { money, sentence } from './units'
import { invalid, reasonOf, refused, SCREENING, UNASKED, VALID } from './verdicts'

/** A judged payment with every check of it. Null: it could not be read, or is a request about channels. */
export type Judged = { payment: Payment | null; checks: Check[]; verdict: Verdict }

/** Who asks about a payment: a page without an API key asks for the payment's own environment. */
export type CallerOf = (payment: Pick<Payment, 'network'>) => Caller

/**
 * Judges a verify body by the judge of verify, and reads every rule behind it. The chain is asked only where verify would ask it. Nothing
 * is counted, screened or written.
 */
export async function judgeBody(app: App, callerOf: CallerOf, body: Json): Promise<Judged> {
  const read = readPayment(body)
  if ('refused' in read) {
    const rest = noneReached(checksFor(body), 'The payment could not be read.')
    const checks = [unreadable(body, read.refused), ...rest, SCREENING]
    return { payment: null, checks, verdict: invalid(reasonOf(read.refused)) }
  }
  if ('channel' in read) return { payment: null, ...(await judgeChannel(app, callerOf(read.channel), read.channel)) }
  const caller = callerOf(read.payment)
  const payment = await withUptoService(app, caller, await withKnownSender(app, caller, read.payment))
  const known = await findKnown(app.db, payment)
  const entry = [
    passed('format', 'The payment and its requirements could be read.'),
    known
      ? refused('first_use', duplicate(caller, known))
      : passed('first_use', 'No payment with this content was submitted here.'),
    ...admissionChecks(app, caller, payment),
  ]
  const stop = entry.find(({ status }) => status === 'failed')
  const judged = stop ? { verdict: invalid(stop.reason), fault: null, chain: UNASKED } : await judgeAdmitted(app, caller, payment)
  return { payment, checks: [...entry, ...rulesRead(app, caller, payment, judged), SCREENING], verdict: judged.verdict }
}

/** The check of a body that cannot be read: what lost its end and what was misspelled have remedies of their own. */
function unreadable({ paymentPayload, paymentHeader, paymentRequirements }: Json, error: ServiceError): Check {
  const payload = paymentPayload ?? paymentHeader
  const cut = typeof payload === 'string' ? cutOffRefusal(payload, 'paymentPayload') : null
  if (cut) return failed('format', reasonOf(error), sentence(cut.message), COPY_ALL)
  const near = error.facts.reason === 'invalid_network' ? nearNetwork(Object(paymentRequirements).network) : null
  return near && error.refusal === 'bad_request'
    ? failed('format', reasonOf(error), sentence(error.message), near)
    : refused('format', error)
}

function readPayment(body: Json): ReturnType<typeof parseRequest> | { refused: ServiceError } {
  try {
    return parseRequest(body)
  } catch (error) {
    if (isServiceError(error)) return { refused: error }
    throw error
  }
}

/** `fault`: why verify fails behind admission; null where it does not. */
type Outcome = { verdict: Verdict; fault: Failure | null } & ({ examined: Examined } | { chain: Check })

// In the order of verify, behind its admission.
async function judgeAdmitted(app: App, caller: Caller, payment: Payment): Promise<Outcome> {
  const checked = judgeStatically(app, caller, admit(app, caller, payment), payment)
  if ('failed' in checked) return { verdict: invalid(checked.failed.reason), fault: checked.failed, chain: UNASKED }
  try {
    const examined = await examine(app, checked)
    const { judgement } = examined
    if (judgement.valid) return { examined, fault: null, verdict: VALID }
    return { examined, fault: judgement, verdict: invalid(judgement.reason) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { verdict: invalid(reasonOf(error)), fault: null, chain: refused('chain', error) }
  }
}

function rulesRead(app: App, caller: Caller, payment: Payment, outcome: Outcome): Check[] {
  const examined = 'examined' in outcome ? outcome.examined : null
  const chain = 'chain' in outcome ? outcome.chain : UNASKED
  if (networkRow(payment.network).family === 'svm') {
    return svmChecks(
      payment,
      rulesOf(app, caller.tier, payment),
      examined?.family === 'svm' ? { examined } : { examined: null, chain },
    )
  }
  const onChain = examined?.family === 'evm' ? { examined } : { examined: null, chain }
  const checks = evmChecks(asServed(app, caller, payment), unixNow(app), onChain)
  return [...checks, ...unnamedFault(checks, outcome.fault)]
}

/** A fault that no rule names: a payer's own approval that cannot be sent, or another facilitator that takes no Permit2. */
function unnamedFault(checks: readonly Check[], fault: Failure | null): Check[] {
  if (fault === null || checks.some(({ status }) => status === 'failed')) return []
  return [failed('sendable', fault.reason, sentence(fault.message))]
}

/** The checks of admission in their order, and whether the network is configured here. */
export function admissionChecks(app: App, caller: Caller, payment: Payment): Check[] {
  const readings = admissionRules.map(
    ({ name, refusal }): Reading => ({ name, fault: faultOf(refusal({ app, caller, payment })) }),
  )
  const facilitator: Reading = {
    name: 'facilitator',
    needs: 'network_served',
    fault: faultOf(unconfigured(app, caller, payment)),
  }
  // Without a key nothing is set that these rules read.
  const all = [...readings, facilitator].filter(({ name }) => caller.key !== null || !name.startsWith('key_'))
  return checksOf(all, (name) => admissionEvidence(app, caller, payment)[name] ?? null)
}

function unconfigured(app: App, caller: Caller, payment: Payment): ServiceError | null {
  try {
    facilitatorFor(app, caller.tier, payment.network)
    return null
  } catch (error) {
    if (isServiceError(error)) return error
    throw error
  }
}

function admissionEvidence({ config }: App, { guardrails }: Caller, payment: Payment): Record<string, string> {
  const { title } = networkRow(payment.network)
  const payer = payerIn(payment)
  const token = assetIn(payment)
  const maximum = keyMaximum(guardrails, token)
  return {
    network_served: `The requirements name ${title}.`,
    minimum_amount: `The amount is ${money(payment.amount, token)}; the minimum is ${money(minimumAmount(config, payment.network, token), token)}.`,
    two_wallets: `The payer is ${payer === '' ? 'not known' : displayAddress(payer)}; payTo is ${displayAddress(payment.payTo)}.`,
    key_networks: guardrails.networks ? 'The key names its networks.' : 'The key allows all networks.',
    key_pay_to: guardrails.payTo ? 'The key names its recipients.' : 'The key allows all recipients.',
    key_maximum: maximum === null ? 'The key has no maximum.' : `The maximum is ${money(maximum, token)}.`,
    facilitator: `The network is ${title}.`,
  } satisfies Record<(typeof admissionRules)[number]['name'] | 'facilitator', string>
}

const faultOf = (error: ServiceError | null) => error && { reason: reasonOf(error), message: sentence(error.message) }

function checksFor({ paymentRequirements }: Json): string[] {
  const written: unknown = Object(paymentRequirements).network
  const network = typeof written === 'string' ? readNetwork(written) : null
  const isSvm = network !== null && 'known' in network && networkRow(network.known).family === 'svm'
  return ['first_use', ...admissionRules.map(({ name }) => name), 'facilitator', ...(isSvm ? SVM_CHECKS : EVM_CHECKS)]
}
