import type { EvmNetworkId } from '../networks/networks'
import type { Payment, Transfer } from '../payment'
import type { WirePayload } from '../wire'
import type { EvmMethod, EvmRule } from './evm-method'
import type { SchemeName } from './scheme-names'

/** What the requirements say beside the money, for the reader of a payload. */
type Asked = { network: EvmNetworkId; extra: Record<string, unknown> | null | undefined }

type Row<Family> = {
  scheme: SchemeName
  family: Family
  /** The versions of x402 in which `/supported` offers it; none: it is served and not offered yet. */
  versions: readonly (1 | 2)[]
}

/** A scheme on EVM networks. */
export type EvmScheme = Row<'evm'> & {
  /** What the payer signed, of a payload; null if it has another form. Throws `bad_request` with the field. */
  read(inner: Record<string, unknown>, extensions: WirePayload['extensions'], asked: Asked): Transfer | null
  /** Its ways to transfer tokens, by the kind of their transfers. */
  methods: Readonly<Record<string, EvmMethod>>
  /** The rules of a payment that no method can read. */
  formRules: readonly EvmRule<Payment>[]
  /** The method whose other checks such a payment lacks. */
  usual: EvmMethod
}

/** A scheme on the networks of a family. */
export type SchemeRow = EvmScheme | (Row<'svm'> & { read(inner: Record<string, unknown>): Transfer | null })
