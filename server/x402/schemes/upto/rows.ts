import type { EvmScheme } from '../scheme-row'
import { upto } from './method'
import { readUpto } from './read'
import { unreadRules } from './rules'
import { UPTO } from './scheme'

/** The scheme on EVM networks. */
export const uptoEvm = {
  scheme: UPTO,
  family: 'evm',
  versions: [2],
  read: readUpto,
  methods: { upto },
  formRules: unreadRules,
  usual: upto,
} as const satisfies EvmScheme
