import {
  decodeFunctionData,
  type Hex,
  hexToBigInt,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import { z } from 'zod'
import { atomic } from '../../atomic'
import { validUntil } from '../../networks/expiry-margin'
import { networkRow } from '../../networks/networks'
import type { AnyPermit2Payment } from '../../payment'
import type { Reason } from '../../reasons/reasons'
import { type EcdsaSignature, isLowS } from '../../signatures'
import { erc20Abi } from '../evm-logs'
import type { EvmRule } from '../evm-method'
import { PERMIT2 } from './contracts'
import type { Sponsoring } from './transfers'

/** The extensions of x402 with which a payer lets Permit2 take its tokens (docs/schemes.md). */
export const SPONSORING = { eip2612: 'eip2612GasSponsoring', approval: 'erc20ApprovalGasSponsoring' } as const

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .toLowerCase()
const version = z.string().regex(/^\d+(\.\d+)*$/)
const common = { from: address, asset: address, spender: address, amount: atomic, version }

const eip2612 = z.object({
  ...common,
  nonce: atomic,
  deadline: atomic,
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
})
const approval = z.object({
  ...common,
  signedTransaction: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .max(4_096)
    .toLowerCase(),
})

/** What must be there for an extension to count, as the official facilitator has it. */
const FIELDS = {
  eip2612: ['from', 'asset', 'spender', 'amount', 'nonce', 'deadline', 'signature', 'version'],
  approval: ['from', 'asset', 'spender', 'amount', 'signedTransaction', 'version'],
} as const

/** Reads how a payer lets Permit2 take its tokens. The permit counts before the transaction; null without either. */
export function readSponsoring(extensions: Record<string, unknown> | null | undefined): Sponsoring | null {
  const permit = infoOf(extensions, 'eip2612')
  if (permit) {
    const read = eip2612.safeParse(permit)
    if (!read.success) return { kind: 'broken', extension: 'eip2612' }
    const { from, asset, spender, amount, deadline, signature } = read.data
    const part = (start: number, end: number): Hex => `0x${signature.slice(start, end).toLowerCase()}`
    const v = Number.parseInt(signature.slice(130), 16)
    return { kind: 'eip2612', from, asset, spender, permit: { value: amount, deadline, r: part(2, 66), s: part(66, 130), v } }
  }
  const transaction = infoOf(extensions, 'approval')
  if (!transaction) return null
  const read = approval.safeParse(transaction)
  if (!read.success) return { kind: 'broken', extension: 'approval' }
  const { from, asset, spender, signedTransaction } = read.data
  return { kind: 'approval', from, asset, spender, transaction: `0x${signedTransaction.slice(2)}` }
}

function infoOf(extensions: Record<string, unknown> | null | undefined, kind: keyof typeof FIELDS): object | null {
  const extension = extensions?.[SPONSORING[kind]]
  const info: unknown = typeof extension === 'object' && extension !== null ? Reflect.get(extension, 'info') : null
  if (typeof info !== 'object' || info === null) return null
  return FIELDS[kind].every((field) => Boolean(Reflect.get(info, field))) ? info : null
}

/** A payer's transaction that approves Permit2. Fees are wei per gas. */
type SignedApproval = {
  hash: Hex
  chainId: number | null
  to: Hex | null
  data: Hex
  nonce: bigint
  gas: bigint
  maxFeePerGas: bigint
  value: bigint
  /** Of a type that every network mines, without an access list, and written as everyone writes it. */
  usual: boolean
  /** What the payer signed, and the signature; null when it has none of the usual form, or a high s, which no node takes. */
  signed: { hash: Hex; signature: EcdsaSignature } | null
}

const read = new Map<Hex, SignedApproval | null>()
const READ_MAX = 1_000

/** Reads a signed transaction. Null when it cannot be read. */
export function readApproval(raw: Hex): SignedApproval | null {
  const known = read.get(raw)
  if (known !== undefined) return known
  if (read.size >= READ_MAX) read.clear()
  const found = parseApproval(raw)
  read.set(raw, found)
  return found
}

function parseApproval(raw: Hex): SignedApproval | null {
  try {
    const transaction = parseTransaction(raw)
    const { r, s, v, yParity, chainId, to, data, nonce, gas, maxFeePerGas, gasPrice, value, ...rest } = transaction
    const parity = yParity ?? (v === undefined ? undefined : Number(v >= 35n ? (v - 35n) % 2n : v - 27n))
    const unsigned = { ...rest, chainId, to, data, nonce, gas, maxFeePerGas, gasPrice, value } as TransactionSerializable
    const signature: EcdsaSignature | null =
      r && s && isLowS(s) && (parity === 0 || parity === 1) ? { r: word(r), s: word(s), v: parity === 0 ? 27 : 28 } : null
    return {
      hash: keccak256(raw),
      chainId: chainId ?? null,
      to: to ? `0x${to.slice(2).toLowerCase()}` : null,
      data: data ?? '0x',
      nonce: BigInt(nonce ?? 0),
      gas: gas ?? 0n,
      maxFeePerGas: maxFeePerGas ?? gasPrice ?? 0n,
      value: value ?? 0n,
      usual: isUsual(raw, transaction),
      signed: signature && { hash: keccak256(serializeTransaction(unsigned)), signature },
    }
  } catch {
    // Not the bytes of a transaction.
    return null
  }
}

/** Others pass here and no node mines them: we would pay for nothing. */
const USUAL_TYPES: ReadonlySet<string | undefined> = new Set(['legacy', 'eip1559'])

function isUsual(raw: Hex, { type, accessList, r, s, v, yParity, ...unsigned }: ReturnType<typeof parseTransaction>): boolean {
  if (!USUAL_TYPES.has(type) || (accessList?.length ?? 0) > 0 || !r || !s || v === undefined) return false
  const signature = { r: word(r), s: word(s), v, ...(yParity === undefined ? {} : { yParity }) }
  return serializeTransaction({ ...unsigned, type } as TransactionSerializable, signature) === raw
}

const word = (hex: Hex): Hex => `0x${hexToBigInt(hex).toString(16).padStart(64, '0')}`

const APPROVE = '0x095ea7b3'
/** Official clients sign approvals of 70,000 gas. */
const APPROVAL_GAS_MAX = 100_000n

/** The selector and two words. A node also takes bytes behind them, whose price on an L1 we would pay. */
const APPROVE_LENGTH = 2 + 2 * (4 + 2 * 32)

/** The spender of an approve call. Null when the data is none, or more. */
function spenderIn(data: Hex): string | null {
  if (data.length !== APPROVE_LENGTH) return null
  try {
    const [spender] = decodeFunctionData({ abi: erc20Abi, data }).args
    return spender?.toLowerCase() ?? null
  } catch {
    return null
  }
}

type Of<Kind extends Sponsoring['kind']> = Extract<Sponsoring, { kind: Kind }>

function rule<Kind extends Sponsoring['kind']>(
  kind: Kind,
  name: string,
  reason: Reason,
  broken: (sponsoring: Of<Kind>, payment: AnyPermit2Payment, now: bigint) => boolean,
): EvmRule<AnyPermit2Payment> {
  const ofKind = (sponsoring: Sponsoring | null): sponsoring is Of<Kind> => sponsoring?.kind === kind
  return {
    name,
    reason: () => reason,
    broken(payment, { latest }) {
      const { sponsoring } = payment.transfer
      return ofKind(sponsoring) && broken(sponsoring, payment, latest)
    },
  }
}

const transactionRule = (
  name: string,
  reason: Reason,
  broken: (transaction: SignedApproval, payment: AnyPermit2Payment) => boolean,
) =>
  rule('approval', name, reason, (sponsoring, payment) => {
    const transaction = readApproval(sponsoring.transaction)
    return transaction !== null && broken(transaction, payment)
  })

/** What a payer sent along to let Permit2 take its tokens, in the official order. A payment without it breaks none. */
export const sponsoringRules: readonly EvmRule<AnyPermit2Payment>[] = [
  rule('broken', 'permit_format', 'invalid_eip2612_extension_format', ({ extension }) => extension === 'eip2612'),
  rule('eip2612', 'permit_from', 'eip2612_from_mismatch', ({ from }, { transfer }) => from !== transfer.authorization.from),
  rule('eip2612', 'permit_asset', 'eip2612_asset_mismatch', ({ asset }, payment) => asset !== payment.asset),
  rule('eip2612', 'permit_spender', 'eip2612_spender_not_permit2', ({ spender }) => spender !== PERMIT2),
  rule(
    'eip2612',
    'permit_deadline',
    'eip2612_deadline_expired',
    ({ permit }, { network }, now) => permit.deadline < validUntil(network, now),
  ),
  rule('broken', 'approval_format', 'invalid_erc20_approval_extension_format', ({ extension }) => extension === 'approval'),
  rule(
    'approval',
    'approval_from',
    'erc20_approval_from_mismatch',
    ({ from }, { transfer }) => from !== transfer.authorization.from,
  ),
  rule('approval', 'approval_asset', 'erc20_approval_asset_mismatch', ({ asset }, payment) => asset !== payment.asset),
  rule('approval', 'approval_spender', 'erc20_approval_spender_not_permit2', ({ spender }) => spender !== PERMIT2),
  rule(
    'approval',
    'approval_transaction',
    'erc20_approval_tx_parse_failed',
    ({ transaction }) => readApproval(transaction) === null,
  ),
  transactionRule('approval_target', 'erc20_approval_tx_wrong_target', ({ to }, { asset }) => to !== asset),
  transactionRule('approval_call', 'erc20_approval_tx_wrong_selector', ({ data }) => !data.startsWith(APPROVE)),
  transactionRule('approval_data', 'erc20_approval_tx_invalid_calldata', ({ data }) => spenderIn(data) === null),
  transactionRule('approval_of', 'erc20_approval_tx_wrong_spender', ({ data }) => spenderIn(data) !== PERMIT2),
  transactionRule('approval_signature', 'erc20_approval_tx_invalid_signature', ({ signed }) => signed === null),
  transactionRule(
    'approval_limits',
    'erc20_approval_tx_failed',
    ({ chainId, gas, value, usual }, { network }) =>
      !usual || chainId !== networkRow(network).chainId || gas > APPROVAL_GAS_MAX || value > 0n,
  ),
]
