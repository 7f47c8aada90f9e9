import type { EvmScheme, SchemeRow } from '../scheme-row'
import { eip3009 } from './eip3009/method'
import { formRules } from './eip3009/rules'
import { permit2 } from './permit2/method'
import { readEvm, readSvm } from './read'
import { EXACT } from './scheme'

/** The scheme on EVM networks. */
export const exactEvm = {
  scheme: EXACT,
  family: 'evm',
  versions: [1, 2],
  read: readEvm,
  methods: { eip3009, permit2 },
  formRules,
  usual: eip3009,
} as const satisfies EvmScheme

/** The scheme on Solana. */
export const exactSvm = { scheme: EXACT, family: 'svm', versions: [1, 2], read: readSvm } as const satisfies SchemeRow
