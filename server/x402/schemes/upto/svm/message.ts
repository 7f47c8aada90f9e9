import { createHash } from 'node:crypto'
import type { SvmTransaction } from '../../exact/svm/transaction'
import { keyBytes } from './program'

/** An account of an instruction, and what the instruction needs of it. */
type AccountUse = { address: string; signs?: boolean; writes?: boolean }

/** An instruction to put into a transaction. */
export type BuiltInstruction = { program: string; accounts: readonly AccountUse[]; data: Uint8Array }

/** An unsigned transaction of version 0 without lookup tables; null when it would be longer than a packet. */
export function unsignedTransaction(
  feePayer: string,
  blockhash: string,
  instructions: readonly BuiltInstruction[],
): SvmTransaction | null {
  const uses = new Map<string, { signs: boolean; writes: boolean }>([[feePayer, { signs: true, writes: true }]])
  for (const { program, accounts } of instructions) {
    for (const { address, signs = false, writes = false } of [...accounts, { address: program }]) {
      const known = uses.get(address)
      uses.set(address, { signs: signs || known?.signs === true, writes: writes || known?.writes === true })
    }
  }
  const inOrder = (signs: boolean, writes: boolean) =>
    [...uses].flatMap(([address, use]) => (use.signs === signs && use.writes === writes ? [address] : []))
  const [writers, signers, written, read] = [
    inOrder(true, true),
    inOrder(true, false),
    inOrder(false, true),
    inOrder(false, false),
  ]
  const accounts = [...writers, ...signers, ...written, ...read]
  const placeOf = (address: string) => accounts.indexOf(address)
  const message = Buffer.concat([
    Uint8Array.of(0x80, writers.length + signers.length, signers.length, read.length),
    ...counted(accounts.map(keyBytes)),
    keyBytes(blockhash),
    ...counted(
      instructions.map(({ program, accounts: used, data }) =>
        Buffer.concat([
          Uint8Array.of(placeOf(program)),
          ...counted(used.map(({ address }) => Uint8Array.of(placeOf(address)))),
          compact(data.length),
          data,
        ]),
      ),
    ),
    compact(0),
  ])
  const signatures = [...writers, ...signers].map(() => new Uint8Array(SIGNATURE_BYTES))
  if (message.length + 1 + SIGNATURE_BYTES * signatures.length > PACKET_BYTES) return null
  return {
    message,
    messageHash: `0x${createHash('sha256').update(message).digest('hex')}`,
    version: 0,
    signatures,
    accounts,
    readonly: { signers: signers.length, others: read.length },
    blockhash,
    instructions: instructions.map(({ program, accounts: used, data }) => ({
      program,
      accounts: used.map(({ address }) => address),
      data,
    })),
    lookups: 0,
  }
}

const SIGNATURE_BYTES = 64
const PACKET_BYTES = 1_232

function compact(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
}

const counted = (items: readonly Uint8Array[]): Uint8Array[] => [compact(items.length), ...items]
