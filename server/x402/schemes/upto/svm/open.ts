import type { SvmNetworkId } from '../../../networks/networks'
import { feeOf, unitLimitOf } from '../../exact/svm/fees'
import { hasSignatures } from '../../exact/svm/form'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  LIGHTHOUSE_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../exact/svm/programs'
import type { SvmInstruction, SvmTransaction } from '../../exact/svm/transaction'
import { wholeShare } from './instructions'
import { CHANNEL_PROGRAM, channelAddress, EVENT_AUTHORITY, OPEN_SLOT_WINDOW, tokensOf } from './program'
import type { UptoChannel } from './transfers'

/** What the requirements and the payload say that a payer's transaction opens. */
type AskedChannel = Omit<UptoChannel, 'id' | 'expiresAt'> & {
  network: SvmNetworkId
  /** The slot of the requirements; null where they name none. */
  recentSlot: bigint | null
  memo: string | null
  /** All fee payers of this facilitator: the open alone may name them. */
  ours: ReadonlySet<string>
  maxFeeLamports: bigint
}

const MAX_UNITS = 400_000n
const MAX_UNIT_PRICE = 5_000_000n
const MAX_SUFFIX = 4
const MAX_LIGHTHOUSE = 3
const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111'

/** The channel that a transaction opens, by its address and what the payer put into it. */
type OpenedChannel = { id: string; payer: string; nonce: bigint }

/** Reads a transaction that opens exactly the channel that is asked for, and nothing else; else why it is not one, in a sentence. */
export function readOpen(transaction: SvmTransaction, asked: AskedChannel): { opened: OpenedChannel } | { fault: string } {
  const fault =
    layoutFault(transaction, asked) ??
    signerFault(transaction, asked) ??
    accountsFault(transaction, asked) ??
    dataFault(transaction, asked)
  if (fault !== null) return { fault }
  const open = openIn(transaction)
  const [payer = '', , , , , id = ''] = open?.accounts ?? []
  return { opened: { id, payer, nonce: view(open).getBigUint64(1, true) } }
}

/** The channel that a transaction opens for one of its signers; null if it opens none. It may do other things too. */
export function channelOpenedBy(transaction: SvmTransaction): string | null {
  const open = openIn(transaction)
  const [payer = '', , payee = '', mint = '', authorizer = '', id = ''] = open?.accounts ?? []
  const isSigner = transaction.accounts.slice(0, transaction.signatures.length).includes(payer)
  if (!open || open.data.length < 29 || !isSigner) return null
  const [nonce, openSlot] = [view(open).getBigUint64(1, true), view(open).getBigUint64(21, true)]
  return channelAddress({ payer, payee, mint, authorizer, nonce, openSlot }) === id ? id : null
}

/** Whether a transaction opens a channel: then its success shows that the payer's tokens are in it. */
export const opensChannel = (transaction: SvmTransaction): boolean => openIn(transaction) !== null

/** Whether a transaction calls the program of channels. Of ours and of payers' that we took, success shows what it does. */
export const callsChannels = ({ instructions }: SvmTransaction): boolean =>
  instructions.some(({ program }) => program === CHANNEL_PROGRAM)

function openIn({ instructions }: SvmTransaction): SvmInstruction | null {
  const first = instructions.find(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  return first?.program === CHANNEL_PROGRAM && first.data[0] === 1 ? first : null
}

const view = (instruction: SvmInstruction | null): DataView => {
  const data = instruction?.data ?? new Uint8Array()
  return new DataView(data.buffer, data.byteOffset, data.length)
}

function layoutFault(transaction: SvmTransaction, { ours, memo, maxFeeLamports }: AskedChannel): string | null {
  const { instructions, lookups } = transaction
  if (lookups > 0) return 'address lookup tables are not taken'
  const start = instructions.findIndex(({ program }) => program !== COMPUTE_BUDGET_PROGRAM)
  const budget = start < 0 ? instructions : instructions.slice(0, start)
  const budgetFault = faultOfBudget(budget)
  if (budgetFault !== null) return budgetFault
  if (unitLimitOf(transaction) > MAX_UNITS && budget.length > 0) return `it may use up to ${MAX_UNITS} compute units`
  if (feeOf(transaction) > maxFeeLamports) return `it may cost up to ${maxFeeLamports} lamports here`
  if (openIn(transaction) === null) return 'the first instruction after those of the compute budget must open a channel'
  const suffix = instructions.slice(start + 1)
  if (suffix.length > MAX_SUFFIX) return `at most ${MAX_SUFFIX} instructions may follow the open`
  if (suffix.some(({ program }) => program !== LIGHTHOUSE_PROGRAM && program !== MEMO_PROGRAM))
    return 'only assertions of Lighthouse and memos may follow the open'
  if (suffix.filter(({ program }) => program === LIGHTHOUSE_PROGRAM).length > MAX_LIGHTHOUSE)
    return `at most ${MAX_LIGHTHOUSE} assertions of Lighthouse may follow the open`
  if ([...budget, ...suffix].some(({ accounts }) => accounts.some((one) => ours.has(one))))
    return 'a fee payer of this facilitator may appear in the open only'
  const memos = suffix.filter(({ program }) => program === MEMO_PROGRAM)
  if (memo !== null && (memos.length !== 1 || Buffer.from(memos[0]?.data ?? []).toString() !== memo))
    return 'it must carry exactly one memo, that of extra.memo'
  return null
}

function faultOfBudget(budget: readonly SvmInstruction[]): string | null {
  const kinds = budget.map(({ data }) =>
    data[0] === 2 && data.length === 5 ? 'limit' : data[0] === 3 && data.length === 9 ? 'price' : '',
  )
  if (kinds.includes('')) return 'the compute budget may set the limit of compute units and their price only'
  if (!['', 'limit', 'price', 'limit price'].includes(kinds.join(' ')))
    return 'the limit of compute units and their price may be set once, in this order'
  const price = budget.find(({ data }) => data[0] === 3)
  if (price && view(price).getBigUint64(1, true) > MAX_UNIT_PRICE)
    return `a compute unit may cost up to ${MAX_UNIT_PRICE} micro-lamports`
  return null
}

function signerFault(transaction: SvmTransaction, { feePayer, payer }: AskedChannel): string | null {
  const { signatures, accounts } = transaction
  if (accounts[0] !== feePayer) return 'its first account must be extra.feePayer, which pays its fee'
  if (signatures.length !== 2 || accounts[1] !== payer) return 'its signers must be the fee payer and payload.from'
  if (!hasSignatures(transaction)) return 'the signature of payload.from does not hold'
  return null
}

function accountsFault(transaction: SvmTransaction, asked: AskedChannel): string | null {
  const { payer, feePayer, asset, authorizer, tokenProgram } = asked
  const accounts = openIn(transaction)?.accounts ?? []
  const id = accounts[5] ?? ''
  const wanted = [
    payer,
    feePayer,
    feePayer,
    asset,
    authorizer,
    id,
    tokensOf(payer, asset, tokenProgram),
    id === '' ? '' : tokensOf(id, asset, tokenProgram),
    tokenProgram,
    SYSTEM_PROGRAM,
    RENT_SYSVAR,
    ASSOCIATED_TOKEN_PROGRAM,
    EVENT_AUTHORITY,
    CHANNEL_PROGRAM,
  ]
  if (accounts.length !== wanted.length) return `the open must have ${wanted.length} accounts`
  const wrong = wanted.findIndex((address, at) => accounts[at] !== address)
  if (wrong >= 0) return `account ${wrong + 1} of the open must be ${wanted[wrong]}`
  const written = new Set([0, 1, 5, 6, 7].map((at) => wanted[at]))
  const changed = transaction.accounts.filter((_, at) => isWritable(transaction, at))
  if (changed.length !== written.size || !changed.every((address) => written.has(address)))
    return 'it must be able to change the accounts that the open changes, and no other'
  return null
}

function isWritable({ accounts, signatures, readonly }: SvmTransaction, at: number): boolean {
  return at < signatures.length ? at < signatures.length - readonly.signers : at < accounts.length - readonly.others
}

function dataFault(transaction: SvmTransaction, asked: AskedChannel): string | null {
  const open = openIn(transaction)
  const { maximum, withdrawDelay, openSlot, recentSlot, payTo } = asked
  if (open?.data.length !== 67) return 'the open must name one recipient'
  const data = view(open)
  if (maximum === 0n || data.getBigUint64(9, true) !== maximum) return `its deposit must be ${maximum}`
  if (data.getUint32(17, true) !== withdrawDelay) return `its grace period must be ${withdrawDelay} seconds`
  if (data.getBigUint64(21, true) !== openSlot) return `its slot must be ${openSlot}`
  if (recentSlot !== null && (openSlot > recentSlot || recentSlot - openSlot > OPEN_SLOT_WINDOW))
    return `its slot must be at most ${OPEN_SLOT_WINDOW} before ${recentSlot}`
  if (!Buffer.from(open.data.subarray(29)).equals(wholeShare(payTo))) return 'its only recipient must be payTo'
  const { payer, feePayer: payee, asset: mint, authorizer } = asked
  const derived = channelAddress({ payer, payee, mint, authorizer, nonce: data.getBigUint64(1, true), openSlot })
  return open.accounts[5] === derived ? null : `the channel must be ${derived}`
}
