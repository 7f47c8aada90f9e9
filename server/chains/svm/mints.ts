import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import type { Account } from './rpc'

/** What a mint says of its token, or why payments in it are not accepted: a phrase behind "the mint". */
export type MintFinding = { program: string; decimals: number } | { fault: string }

const MINT_BYTES = 82
const DECIMALS_AT = 44
const INITIALIZED_AT = 45
// Token-2022 pads a mint to the length of a token account, then writes its kind and its extensions.
const KIND_AT = 165
const KIND_MINT = 1
const EXTENSIONS_AT = 166
/** An amount has 64 bits: with more decimals no whole token could be paid. */
const DECIMALS_MAX = 18

/**
 * Judges the account of a mint: an initialized mint of SPL Token or Token-2022 whose TransferChecked moves the named amount, always and
 * in one way. A mint's extensions are fixed when it is made, so one proof is enough.
 */
export function judgeMint(account: Account | null): MintFinding {
  if (!account) return { fault: 'does not exist' }
  const { owner: program, data } = account
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return { fault: 'is no account of a token program' }
  const extended = program === TOKEN_2022_PROGRAM && data.length > EXTENSIONS_AT && data[KIND_AT] === KIND_MINT
  if (data.length !== MINT_BYTES && !extended) return { fault: 'is an account of a token program, and no mint' }
  if (data[INITIALIZED_AT] !== 1) return { fault: 'is not initialized' }
  const decimals = data[DECIMALS_AT] ?? 0
  if (decimals > DECIMALS_MAX) return { fault: `has ${decimals} decimals; ${DECIMALS_MAX} is the maximum` }
  const fault = extended ? extensionFault(data.subarray(EXTENSIONS_AT)) : null
  return fault === null ? { program, decimals } : { fault }
}

/** The extensions that leave a transfer as it is: names, groups, and a state of new accounts that may pay and be paid. */
const HARMLESS: ReadonlySet<number> = new Set([18, 19, 20, 21, 22, 23])
const DEFAULT_STATE = 6
const INITIALIZED = 1

/** What the other extensions of a mint do. One that is not in this table is refused too: it may do anything. */
const HARMFUL: Readonly<Record<number, string>> = {
  1: 'may take a fee from a transfer',
  3: 'may be closed, and made again with other rules',
  4: 'has confidential transfers, which hide balances',
  9: 'cannot be transferred',
  10: 'earns interest, so that wallets show another amount than is signed',
  12: 'has a permanent delegate, which may take tokens from anyone',
  14: 'has a transfer hook, which runs other code in a transfer',
  16: 'has confidential transfers with a fee',
  24: 'has confidential mints and burns, which hide its supply',
  25: 'has a multiplier, so that wallets show another amount than is signed',
  26: 'can be paused, which stops all transfers',
}

/** The first extension that a payment must not meet. Extensions are pairs of type and length (2 bytes each), followed by their bytes. */
function extensionFault(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  while (at + 4 <= bytes.length) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    // Type 0 marks unused space at the end.
    if (type === 0) return null
    const end = at + 4 + length
    if (end > bytes.length) return 'has extensions that cannot be read'
    if (type === DEFAULT_STATE && bytes[at + 4] !== INITIALIZED) return 'freezes new accounts'
    if (type !== DEFAULT_STATE && !HARMLESS.has(type)) return HARMFUL[type] ?? `has an unknown extension (${type})`
    at = end
  }
  return null
}
