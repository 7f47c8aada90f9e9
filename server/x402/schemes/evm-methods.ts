import { z } from 'zod'
import type { EvmPayment, Payment } from '../payment'
import { type Failure, failure } from '../reasons/reasons'
import { channelActs } from './batch-settlement/acts'
import type { Clock, EventLog, EvmAct, EvmMethod, EvmRule, ProvenTransfer, SignedTransfer } from './evm-method'
import { evmMethods, evmSchemeOf } from './schemes'

const acts: Readonly<Record<SignedTransfer['method'], EvmAct>> = { ...evmMethods, ...channelActs }

const all: readonly EvmAct[] = Object.values(acts)

/** The method of a payment. */
export function methodOf({ transfer }: Pick<EvmPayment, 'transfer'>): EvmMethod {
  return evmMethods[transfer.kind]
}

/** How a transfer is sent and proven. */
export function methodFor({ method }: Pick<SignedTransfer, 'method'>): EvmAct {
  return acts[method]
}

const paying: Readonly<Partial<Record<SignedTransfer['method'], EvmMethod>>> = evmMethods

/** The method of a payer's transfer. Throws for an act of channels, which is none. */
export function paymentMethodFor({ method }: Pick<SignedTransfer, 'method'>): EvmMethod {
  const found = paying[method]
  if (!found) throw new Error(`${method} is no transfer of a payer`)
  return found
}

function firstBroken<P>(rules: readonly EvmRule<P>[], payment: P, clock: Clock): Failure | null {
  const rule = rules.find((one) => one.broken(payment, clock))
  return rule ? failure(rule.reason(payment)) : null
}

const ANY_TIME: Clock = { earliest: 0n, latest: 0n }

/** Rules before the signature. Null when all hold. */
export function brokenForm(payment: EvmPayment, clock: Clock): Failure | null {
  return firstBroken(methodOf(payment).formRules, payment, clock)
}

/** Rules after the signature. Null when all hold. */
export function brokenTerms(payment: EvmPayment, clock: Clock): Failure | null {
  return firstBroken(methodOf(payment).termRules, payment, clock)
}

/** The rules that time cannot change, for a payment that may have landed. Null when all hold. */
export function brokenTimelessTerms(payment: EvmPayment): Failure | null {
  return firstBroken(methodOf(payment).timelessRules, payment, ANY_TIME)
}

/** Why a payment on an EVM network cannot be read as one of a method. Null when no rule says it. */
export function whyUnserved(payment: Payment): Failure | null {
  return firstBroken(evmSchemeOf(payment).formRules, payment, ANY_TIME)
}

/** All transfers that the logs of a successful receipt prove, by name. */
export function proofsIn(logs: readonly EventLog[]): ReadonlyMap<string, number | null> {
  return new Map(all.flatMap((method): readonly ProvenTransfer[] => method.proofsIn(logs)))
}

const named = z.object({
  method: z
    .enum(['eip3009', 'permit2', 'upto', 'batch-eip3009', 'batch-permit2', 'batch-claim', 'batch-refund', 'batch-sweep'])
    .default('eip3009'),
})

/** A signed transfer as the ledger stores it: JSON without its token. */
export function writeTransfer(transfer: SignedTransfer): object {
  return methodFor(transfer).store(transfer)
}

/** Reads what `writeTransfer` wrote of a transfer of this token. Throws on anything else. */
export function readTransfer(json: unknown, asset: string): SignedTransfer {
  return methodFor(named.parse(json)).stored.parse({ ...Object(json), asset })
}

/** As `readTransfer`; null for what only a newer build can read. */
export function readKnownTransfer(json: unknown, asset: string): SignedTransfer | null {
  const known = named.safeParse(json)
  if (!known.success) return null
  const read = methodFor(known.data).stored.safeParse({ ...Object(json), asset })
  return read.success ? read.data : null
}
