import type { SvmExamination } from '../chains/svm/judgement'
import { assetIn } from '../x402/networks/assets'
import { networkRow } from '../x402/networks/networks'
import { isSvm, type Payment, type SvmPayment } from '../x402/payment'
import { HISTORY_CODES, svmFailure } from '../x402/reasons/reasons'
import { associatedAccount } from '../x402/schemes/exact/svm/associated-account'
import { feeOf } from '../x402/schemes/exact/svm/fees'
import { extraRules, feePayerOf, formRules, type Rule, type SvmRules, signingRules } from '../x402/schemes/exact/svm/form'
import { readTransferChecked, readUnitLimit, readUnitPrice } from '../x402/schemes/exact/svm/instructions'
import { layoutRules, smartSigningRules, takesSmartPath, transferRules } from '../x402/schemes/exact/svm/rules'
import { smartWalletRules } from '../x402/schemes/exact/svm/smart-wallet'
import { brokenUptoSvmRules, isUptoSvm, type UptoSvmRead } from '../x402/schemes/upto/svm/rules'
import { type Check, checksOf, failed, noneReached, notReached, passed, type Reading } from './checks'
import type { ChainResult } from './evm'
import { money } from './units'

const SIGNED = [...signingRules, ...layoutRules, ...transferRules, ...extraRules].map(({ name }) => name)

/** The names of the checks of a Solana payment in their order. */
export const SVM_CHECKS: readonly string[] = [
  ...formRules.map(({ name }) => name),
  'transaction',
  ...SIGNED,
  'chain',
  'simulation',
]

/** Every check of a Solana payment behind its admission, in the order of the judge. */
export function svmChecks(payment: Payment, rules: SvmRules, onChain: ChainResult<SvmExamination>): Check[] {
  if (isUptoSvm(payment) && payment.transfer.served) return uptoChecks(payment, rules, onChain)
  const form = readingsOf(formRules, payment, rules, payment)
  const formChecks = checksOf(form, (name) => formEvidence(payment)[name] ?? null)
  if (!isSvm(payment) || payment.transfer.kind !== 'svm') {
    const why = 'The transaction could not be read.'
    return [...formChecks, unreadable(payment), ...noneReached([...SIGNED, 'chain', 'simulation'], why)]
  }
  const evidence = (name: string) => evidenceOf(payment)[name] ?? null
  const instructions = passed('transaction', `It has ${payment.transfer.transaction.instructions.length} instructions.`)
  if (takesSmartPath(payment, rules)) {
    const signed = [...form, ...readingsOf(smartSigningRules, payment, rules, payment)]
    const wallet = checksOf([...signed, ...readingsOf(smartWalletRules, payment, rules, payment)], evidence)
    return [...formChecks, instructions, ...wallet.slice(form.length), ...chainChecks(payment, onChain)]
  }
  const call = readTransferChecked(payment.transfer.transaction.instructions[2])
  const before = [
    ...form,
    ...readingsOf(signingRules, payment, rules, payment),
    ...readingsOf(layoutRules, payment, rules, payment),
  ]
  const after = readingsOf(extraRules, payment, rules, payment)
  // Extra rules need none of the transfer's rules.
  const transfer = call ? checksOf(readingsOf(transferRules, { payment, call }, rules, payment), evidence) : NO_TRANSFER
  return [
    ...formChecks,
    instructions,
    ...checksOf(before, evidence).slice(form.length),
    ...transfer,
    ...checksOf(after, evidence),
    ...chainChecks(payment, onChain),
  ]
}

/** What opens a channel is judged as a whole: its first broken rule is what verify says. */
function uptoChecks(payment: UptoSvmRead, rules: SvmRules, onChain: ChainResult<SvmExamination>): Check[] {
  const broken = brokenUptoSvmRules(payment, rules)
  const { channelId, maximum } = payment.transfer
  const opens = `It opens the channel ${channelId} with ${money(maximum ?? 0n, assetIn(payment))}.`
  const opened = broken ? failed('transaction', broken.reason, broken.message) : passed('transaction', opens)
  return [
    opened,
    ...(isSvm(payment)
      ? chainChecks(payment, onChain)
      : noneReached(['chain', 'simulation'], 'The transaction could not be read.')),
  ]
}

const NO_TRANSFER = noneReached(
  transferRules.map(({ name }) => name),
  'The third instruction is no transfer.',
)

function readingsOf<S>(list: readonly Rule<S>[], subject: S, rules: SvmRules, payment: Payment): Reading[] {
  return list.map(({ name, needs, reason, broken }) => {
    const how = broken(subject, rules)
    return { name, needs, fault: how ? svmFailure(payment, reason, how === true ? undefined : how) : null }
  })
}

function unreadable(payment: Payment): Check {
  if (payment.transfer.kind !== 'svm') return notReached('transaction', 'The payment holds no Solana transaction.')
  const { reason, message } = svmFailure(payment, 'invalid_exact_svm_payload_transaction_could_not_be_decoded')
  return failed('transaction', reason, message)
}

function chainChecks(payment: SvmPayment, onChain: ChainResult<SvmExamination>): Check[] {
  if (!onChain.examined) return [onChain.chain, ...noneReached(['simulation'], onChain.chain.evidence)]
  const { judgement, facts } = onChain.examined
  const { title } = networkRow(payment.network)
  const slot = facts.slot === null ? `${title} was read.` : `Slot ${facts.slot} of ${title} was read.`
  const said = [
    facts.balance === null
      ? ''
      : `The payer has ${money(facts.balance, assetIn(payment))}; the payment needs ${money(payment.amount, assetIn(payment))}.`,
    facts.left === null ? '' : `The blockhash stays valid for ${facts.left} blocks.`,
  ]
  const evidence = said.filter(Boolean).join(' ')
  if (judgement.valid) return [passed('chain', slot), passed('simulation', `The transfer succeeds. ${evidence}`)]
  const message = `${judgement.message} ${evidence}`.trim()
  const failure = failed('simulation', judgement.reason, message)
  const { recorded } = judgement
  return [passed('chain', slot), recorded === undefined ? failure : { ...failure, remedy: HISTORY_CODES[recorded].remedy }]
}

function formEvidence(payment: Payment): Record<string, string> {
  const { scheme, claimed, network, transfer } = payment
  return {
    payload_type:
      transfer.kind === 'permit2' ? 'The payload is a Permit2 authorization.' : 'The payload is not a Permit2 authorization.',
    scheme_served: `The requirements ask for the scheme "${scheme}".`,
    scheme: `The payment names "${claimed.scheme}", the requirements name "${scheme}".`,
    network: `The payment names ${claimed.network}, the requirements name ${network}.`,
    fee_payer: feePayerOf(payment) === '' ? 'extra has no feePayer.' : `extra.feePayer is ${feePayerOf(payment)}.`,
    fee_payer_served: 'The list of ours is under /supported.',
  } satisfies Record<(typeof formRules)[number]['name'], string>
}

function evidenceOf(payment: SvmPayment): Record<string, string> {
  const { transaction } = payment.transfer
  const { instructions, signatures, accounts, lookups } = transaction
  const call = readTransferChecked(instructions[2])
  const [limit, price] = [readUnitLimit(instructions[0]), readUnitPrice(instructions[1])]
  return {
    signature: `The signed message has ${transaction.message.length} bytes.`,
    signers: `It asks for ${signatures.length} signatures.`,
    fee_payer_first: `The first account is ${accounts[0]}.`,
    lookup_tables: `It uses ${lookups} lookup tables.`,
    instruction_count: `It has ${instructions.length} instructions.`,
    ...(limit === null
      ? {}
      : { compute_limit: `The limit is ${limit} units.`, compute_limit_max: `The limit is ${limit} units.` }),
    ...(price === null
      ? {}
      : { compute_price: `A unit costs ${price} micro-lamports.`, compute_price_max: `A unit costs ${price} micro-lamports.` }),
    fee_max: `The fee is at most ${feeOf(transaction)} lamports.`,
    ...(call
      ? {
          payer_pays: `The authority is ${call.authority}.`,
          payer_signed: `The second account is ${accounts[1]}; the authority is ${call.authority}.`,
          mint: `The transfer is of ${call.mint}; the asset is ${payment.asset}.`,
          decimals: `The transfer names ${call.decimals} decimals.`,
          recipient: `The transfer goes to ${call.destination}; the token account of payTo is ${associatedAccount(payment.payTo, payment.asset, call.program)}.`,
          other_account: `It goes from ${call.source} to ${call.destination}.`,
          amount: `The transfer is for ${money(call.amount, assetIn(payment))}; the requirements ask for ${money(payment.amount, assetIn(payment))}.`,
        }
      : {}),
  }
}
