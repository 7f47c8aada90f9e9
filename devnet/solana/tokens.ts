import { base58 } from '@scure/base'
import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import type { Runtime } from './runtime'

export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

const decimals = 6
const mintBytes = 82
const accountBytes = 165
// Token-2022 writes an account's kind behind it, then its extensions.
const kindOfAccount = 2
// Byte offsets in the token program's accounts.
const at = { supply: 36, decimals: 44, isInitialized: 45, mint: 0, owner: 32, amount: 64, state: 108 } as const

type TokenAmount = { amount: string; decimals: number; uiAmount: number | null; uiAmountString: string }
type TokenBalance = { accountIndex: number; mint: string; owner: string; programId: string; uiTokenAmount: TokenAmount }

/** The address of an owner's associated token account. */
export async function associatedAddress(owner: string, mint: string): Promise<string> {
  const bytes = getAddressEncoder()
  const seeds = [owner, tokenProgram, mint].map((part) => bytes.encode(address(part)))
  const [derived] = await getProgramDerivedAddress({ programAddress: address(associatedTokenProgram), seeds })
  return derived
}

/** Puts a mint with six decimals at its address if there is none. It has no mint or freeze authority. */
export function placeMint(runtime: Runtime, mint: string): void {
  if (runtime.account(mint) !== undefined) return
  const data = Buffer.alloc(mintBytes)
  data.writeUInt8(decimals, at.decimals)
  data.writeUInt8(1, at.isInitialized)
  runtime.setAccount(mint, { lamports: runtime.rent(mintBytes), data, owner: tokenProgram, executable: false })
}

/** Opens an owner's associated account if there is none; resolves with its address. */
export async function openTokenAccount(runtime: Runtime, mint: string, owner: string): Promise<string> {
  const account = await associatedAddress(owner, mint)
  if (runtime.account(account) !== undefined) return account
  const data = Buffer.alloc(accountBytes)
  data.set(base58.decode(mint), at.mint)
  data.set(base58.decode(owner), at.owner)
  data.writeUInt8(1, at.state)
  runtime.setAccount(account, { lamports: runtime.rent(accountBytes), data, owner: tokenProgram, executable: false })
  return account
}

/** Adds atomic units to an owner's associated account, opened if needed; resolves with its address. */
export async function mintTo(runtime: Runtime, mint: string, owner: string, amount: bigint): Promise<string> {
  const account = await openTokenAccount(runtime, mint, owner)
  increase(runtime, account, at.amount, amount)
  increase(runtime, mint, at.supply, amount)
  return account
}

function increase(runtime: Runtime, address: string, offset: number, by: bigint): void {
  const account = runtime.account(address)
  if (account === undefined) throw new Error(`there is no account at ${address}`)
  const data = Buffer.from(account.data)
  data.writeBigUInt64LE(data.readBigUInt64LE(offset) + by, offset)
  runtime.setAccount(address, { ...account, data })
}

type TokenAccount = { mint: string; owner: string; amount: bigint; programId: string }

/** The token account at an address, of either token program; undefined when there is none. */
export function tokenAccount(runtime: Runtime, address: string): TokenAccount | undefined {
  const account = runtime.account(address)
  if (account === undefined || (account.owner !== tokenProgram && account.owner !== token2022Program)) return undefined
  const extended = account.owner === token2022Program && account.data[accountBytes] === kindOfAccount
  if (account.data.length !== accountBytes && !extended) return undefined
  const data = Buffer.from(account.data)
  return {
    mint: base58.encode(data.subarray(at.mint, at.owner)),
    owner: base58.encode(data.subarray(at.owner, at.amount)),
    amount: data.readBigUInt64LE(at.amount),
    programId: account.owner,
  }
}

/** An amount of a mint in a node's JSON. */
export function tokenAmount(runtime: Runtime, mint: string, amount: bigint): TokenAmount {
  const places = runtime.account(mint)?.data[at.decimals] ?? decimals
  const digits = amount.toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const uiAmountString = `${whole}.${digits.slice(digits.length - places)}`.replace(/\.?0*$/, '')
  return { amount: amount.toString(), decimals: places, uiAmount: Number(uiAmountString), uiAmountString }
}

/** The token balances of a transaction's token accounts. */
export function tokenBalances(runtime: Runtime, accounts: readonly string[]): TokenBalance[] {
  return accounts.flatMap((address, accountIndex) => {
    const held = tokenAccount(runtime, address)
    if (held === undefined) return []
    const { mint, owner, amount, programId } = held
    return [{ accountIndex, mint, owner, programId, uiTokenAmount: tokenAmount(runtime, mint, amount) }]
  })
}

/** A TransferChecked as a node parses it; null for any other instruction. */
export function parsedTransfer(runtime: Runtime, program: string, accounts: readonly string[], data: Uint8Array): object | null {
  const [source, mint = '', destination, authority] = accounts
  const isToken = program === tokenProgram || program === token2022Program
  if (!isToken || data[0] !== 12 || data.length < 10 || accounts.length !== 4) return null
  const amount = Buffer.from(data).readBigUInt64LE(1)
  return {
    type: 'transferChecked',
    info: { source, mint, destination, authority, tokenAmount: tokenAmount(runtime, mint, amount) },
  }
}
