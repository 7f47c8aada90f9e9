import { base58 } from '@scure/base'
import { z } from 'zod'
import type { Commitment } from './blocks'
import { address, commitment, type Method, method, onlyCommitment, whole } from './method'
import { inContext, type Node } from './node'
import { invalidParams } from './rpc-error'
import type { Account } from './runtime'
import { tokenAccount, tokenAmount } from './tokens'

// A real node answers `jsonParsed` in base64 for a program that it cannot parse. We parse none.
const encoding = z.enum(['base58', 'base64', 'jsonParsed']).optional()
const slice = z.object({ offset: whole, length: whole }).nullish()
const reading = z.object({ commitment, encoding, dataSlice: slice }).prefault({})
type Reading = { encoding?: z.output<typeof encoding>; dataSlice?: z.output<typeof slice> }

/** The epoch that real nodes answer for a rent-exempt account. */
const noRentEpoch = 18_446_744_073_709_551_615n

/** An account in a node's JSON; null when there is none. */
export function accountJson(account: Account | undefined, { encoding, dataSlice }: Reading) {
  if (account === undefined) return null
  const { data, lamports, owner, executable } = account
  const shown = dataSlice ? data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : data
  const base64 = [Buffer.from(shown).toString('base64'), 'base64']
  const texts = { base58: [base58.encode(shown), 'base58'], base64, jsonParsed: base64 }
  // Without an encoding a node answers in the oldest form.
  const written = encoding === undefined ? base58.encode(shown) : texts[encoding]
  return { data: written, executable, lamports, owner, rentEpoch: noRentEpoch, space: data.length }
}

const BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111'
const [SYSVAR_OWNER, LISTED, ENTRY_BYTES] = ['Sysvar1111111111111111111111111111111111111', 150, 40]

/** The account at an address: the virtual machine's, or the cluster's list of recent blockhashes. */
function accountAt({ runtime, blocks }: Node, of: string, commitment: Commitment): Account | undefined {
  if (of !== BLOCKHASHES) return runtime.account(of)
  const newest = blocks.height(commitment)
  const listed = Math.min(LISTED, newest + 1)
  const data = Buffer.alloc(8 + LISTED * ENTRY_BYTES)
  data.writeBigUInt64LE(BigInt(listed), 0)
  for (let age = 0; age < listed; age += 1) {
    data.set(base58.decode(blocks.hash(newest - age)), 8 + age * ENTRY_BYTES)
    data.writeBigUInt64LE(5_000n, 8 + age * ENTRY_BYTES + 32)
  }
  return { lamports: runtime.rent(data.length), data, owner: SYSVAR_OWNER, executable: false }
}

/** The methods that read accounts. */
export const accountMethods: Record<string, Method> = {
  getAccountInfo: method(z.tuple([address, reading]), ([of, config], node) =>
    inContext(node, config.commitment, accountJson(accountAt(node, of, config.commitment), config)),
  ),
  getMultipleAccounts: method(z.tuple([z.array(address).max(100), reading]), ([of, config], node) => {
    const accounts = of.map((one) => accountJson(accountAt(node, one, config.commitment), config))
    return inContext(node, config.commitment, accounts)
  }),
  getBalance: method(z.tuple([address, onlyCommitment]), ([of, { commitment }], node) =>
    inContext(node, commitment, node.runtime.account(of)?.lamports ?? 0n),
  ),
  getTokenAccountBalance: method(z.tuple([address, onlyCommitment]), ([of, { commitment }], node) => {
    const held = tokenAccount(node.runtime, of)
    if (held === undefined) throw invalidParams('Invalid param: could not find account')
    return inContext(node, commitment, tokenAmount(node.runtime, held.mint, held.amount))
  }),
  getMinimumBalanceForRentExemption: method(z.tuple([whole, onlyCommitment]), ([bytes], node) => node.runtime.rent(bytes)),
}
