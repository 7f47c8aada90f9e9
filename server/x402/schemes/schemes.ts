import { type NetworkId, networkRow } from '../networks/networks'
import type { EvmTransfer, Payment } from '../payment'
import { batchSettlementEvm } from './batch-settlement/rows'
import type { EvmMethod } from './evm-method'
import { exactEvm, exactSvm } from './exact/rows'
import type { EvmScheme, SchemeRow } from './scheme-row'
import { uptoEvm } from './upto/rows'
import { uptoSvm } from './upto/svm/rows'

// The schemes that are settled here: a folder and a line in each list (docs/schemes.md).

const evmSchemes: readonly EvmScheme[] = [exactEvm, uptoEvm, batchSettlementEvm]
const svmSchemes: readonly SchemeRow[] = [exactSvm, uptoSvm]

/** The ways to transfer tokens on EVM networks, by the kind of their transfers. */
export const evmMethods = {
  ...exactEvm.methods,
  ...uptoEvm.methods,
  ...batchSettlementEvm.methods,
} as const satisfies Record<EvmTransfer['kind'], EvmMethod>

/** The schemes that are settled on a network. */
export function schemesOn(network: NetworkId): readonly SchemeRow[] {
  return networkRow(network).family === 'evm' ? evmSchemes : svmSchemes
}

/** The scheme of this name on a network. Null if it is not settled there. */
export function schemeOn(network: NetworkId, name: string): SchemeRow | null {
  return schemesOn(network).find(({ scheme }) => scheme === name) ?? null
}

/** The scheme by whose rules a payment on an EVM network is judged: its own, or the usual one if it is not settled here. */
export function evmSchemeOf({ scheme: name }: Pick<Payment, 'scheme'>): EvmScheme {
  return evmSchemes.find(({ scheme }) => scheme === name) ?? exactEvm
}
