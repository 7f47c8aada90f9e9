import { base58 } from '@scure/base'
import type { Account } from '../runtime'
import { tokenProgram } from '../tokens'
import type { TransactionErrorJson } from '../transaction-errors'

/** What a call of the program sees and changes. */
export type World = {
  read: (address: string) => Account | undefined
  write: (address: string, account: Account | undefined) => void
  slot: bigint
  /** Unix seconds. */
  now: bigint
  /** The owner of the treasury's token account. */
  treasury: string
  rent: (bytes: number) => bigint
}

/** Why a call fails: the reason as a node writes it in JSON. */
export class ProgramFault extends Error {
  readonly reason: TransactionErrorJson
  constructor(reason: TransactionErrorJson) {
    super(JSON.stringify(reason))
    this.reason = reason
  }
}

/** Fails the call with an error of the program's own. */
export const custom = (code: number): ProgramFault => new ProgramFault({ Custom: code })

/** Throws unless a condition holds. */
export function need(holds: boolean, fault: ProgramFault): void {
  if (!holds) throw fault
}

const accountBytes = 165
const at = { owner: 32, amount: 64, state: 108 } as const
const frozen = 2
const tokenFault = { insufficientFunds: 1, mintMismatch: 3, frozen: 17 } as const

type Held = { account: Account; data: Buffer; mint: string; owner: string; amount: bigint }

/** The token account at an address. Throws when there is none. */
export function heldAt({ read }: World, address: string): Held {
  const account = read(address)
  if (account === undefined || account.owner !== tokenProgram || account.data.length !== accountBytes)
    throw new ProgramFault('InvalidAccountData')
  const data = Buffer.from(account.data)
  const mint = base58.encode(data.subarray(0, at.owner))
  const owner = base58.encode(data.subarray(at.owner, at.amount))
  return { account, data, mint, owner, amount: data.readBigUInt64LE(at.amount) }
}

/** Moves tokens, as the token program does. */
export function moveTokens(world: World, mint: string, from: string, to: string, amount: bigint): void {
  for (const address of [from, to]) {
    const held = heldAt(world, address)
    need(held.mint === mint, custom(tokenFault.mintMismatch))
    need(held.data[at.state] !== frozen, custom(tokenFault.frozen))
  }
  need(heldAt(world, from).amount >= amount, custom(tokenFault.insufficientFunds))
  add(world, from, -amount)
  add(world, to, amount)
}

function add(world: World, address: string, amount: bigint): void {
  const { account, data, amount: before } = heldAt(world, address)
  data.writeBigUInt64LE(before + amount, at.amount)
  world.write(address, { ...account, data })
}

/** A new token account, paid by an account. */
export function openHeld(world: World, address: string, mint: string, owner: string, rentPayer: string): void {
  const data = Buffer.alloc(accountBytes)
  data.set(base58.decode(mint))
  data.set(base58.decode(owner), at.owner)
  data.writeUInt8(1, at.state)
  create(world, address, data, tokenProgram, rentPayer)
}

/** A new account, paid by another one. */
export function create(world: World, address: string, data: Uint8Array, owner: string, rentPayer: string): void {
  const lamports = world.rent(data.length)
  const payer = world.read(rentPayer)
  if (payer === undefined || payer.lamports < lamports) throw custom(tokenFault.insufficientFunds)
  world.write(rentPayer, { ...payer, lamports: payer.lamports - lamports })
  world.write(address, { lamports, data, owner, executable: false })
}

/** Ends an account and gives its lamports to another one. */
export function close(world: World, address: string, to: string): void {
  const lamports = world.read(address)?.lamports ?? 0n
  const receiver = world.read(to)
  if (receiver === undefined) throw new ProgramFault('InvalidAccountData')
  world.write(address, undefined)
  world.write(to, { ...receiver, lamports: receiver.lamports + lamports })
}
