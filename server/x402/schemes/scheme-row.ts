import type { Payment, Transfer } from '../payment'
import type { WirePayload } from '../wire'
import type { EvmMethod, EvmRule } from './evm-method'
import type { SchemeName } from './scheme-names'

type Row<Family> = {
  scheme: SchemeName
  family: Family
  /** The versions of x402 in which `/supported` offers it. */
  versions: readonly (1 | 2)[]
  /** What the payer signed, of a payload; null if it has another form. Throws `bad_request` with the field. */
  read(inner: Record<string, unknown>, extensions: WirePayload['extensions']): Transfer | null
}

/** A scheme on EVM networks. */
export type EvmScheme = Row<'evm'> & {
  /** Its ways to transfer tokens, by the kind of their transfers. */
  methods: Readonly<Record<string, EvmMethod>>
  /** The rules of a payment that no method can read. */
  formRules: readonly EvmRule<Payment>[]
  /** The method whose other checks such a payment lacks. */
  usual: EvmMethod
}

/** A scheme on the networks of a family. */
export type SchemeRow = EvmScheme | Row<'svm'>
