import type { EvmScheme } from '../scheme-row'
import { batchEip3009, batchPermit2 } from './deposits'
import { readDeposit } from './read'
import { unreadRules } from './rules'
import { BATCH_SETTLEMENT } from './scheme'

/**
 * The scheme on EVM networks. Its deposits are payments; vouchers, claims, settlements and refunds are not (requests.ts).
 */
export const batchSettlementEvm = {
  scheme: BATCH_SETTLEMENT,
  family: 'evm',
  versions: [2],
  read: readDeposit,
  methods: { 'batch-eip3009': batchEip3009, 'batch-permit2': batchPermit2 },
  formRules: unreadRules,
  usual: batchEip3009,
} as const satisfies EvmScheme
