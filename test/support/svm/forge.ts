import { randomBytes } from 'node:crypto'
import {
  type AccountMeta,
  AccountRole,
  address,
  blockhash as asBlockhash,
  compileTransaction,
  getAddressDecoder,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  signBytes,
  type TransactionMessage,
  type TransactionMessageWithBlockhashLifetime,
  type TransactionMessageWithFeePayer,
} from '@solana/kit'

type Json = Record<string, unknown>

export const SVM_NETWORK = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
/** USDC on Solana devnet. */
export const SVM_USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

export const PROGRAMS = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  lighthouse: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
} as const

export type SvmPaymentOptions = {
  payer: KeyPairSigner
  feePayer: string
  payTo: string
  mint?: string
  /** The token program of the mint; SPL Token if unset. */
  program?: string
  decimals?: number
  /** In atomic units; 1,000 if unset. */
  amount?: bigint
  blockhash?: string
  /** Random if unset, as in the official client; null for none, as in legacy clients. */
  memo?: string | null
  /** Placed between transfer and memo. */
  extraInstructions?: Instruction[]
  computeUnits?: number
  /** Micro-lamports per compute unit. */
  price?: bigint
  version?: 'legacy' | 0
  /** Replaces the list of instructions. */
  instructions?: (usual: Instruction[]) => Instruction[]
  /** The signers; only the payer if unset. */
  signers?: KeyPairSigner[]
}

/** A payment like the official client's, in base64; its payer has signed, its fee payer has not. Options change it. */
export async function svmPayment(options: SvmPaymentOptions): Promise<string> {
  const { payer, feePayer, payTo, mint = SVM_USDC, program = PROGRAMS.token, memo = randomBytes(16).toString('hex') } = options
  const usual = [
    setComputeUnitLimit(options.computeUnits ?? 20_000),
    setComputeUnitPrice(options.price ?? 1n),
    transferChecked({
      mint,
      program,
      ...(options.decimals === undefined ? {} : { decimals: options.decimals }),
      source: await svmTokenAccount(payer.address, mint, program),
      destination: await svmTokenAccount(payTo, mint, program),
      authority: payer.address,
      amount: options.amount ?? 1_000n,
    }),
    ...(options.extraInstructions ?? []),
    ...(memo === null ? [] : [memoOf(memo)]),
  ]
  const message: TransactionMessage & TransactionMessageWithFeePayer & TransactionMessageWithBlockhashLifetime = {
    version: options.version ?? 0,
    feePayer: { address: address(feePayer) },
    instructions: options.instructions?.(usual) ?? usual,
    lifetimeConstraint: { blockhash: asBlockhash(options.blockhash ?? someAddress()), lastValidBlockHeight: 0n },
  }
  const keys = (options.signers ?? [payer]).map(({ keyPair }) => keyPair)
  return getBase64EncodedWireTransaction(await partiallySignTransaction(keys, compileTransaction(message)))
}

/** 32 random bytes in base58: a blockhash, or an unused address. */
export function someAddress(): string {
  return getAddressDecoder().decode(randomBytes(32))
}

/** The associated token account of a wallet. */
export async function svmTokenAccount(owner: string, mint: string = SVM_USDC, program: string = PROGRAMS.token): Promise<string> {
  const seeds = [owner, program, mint].map((seed) => getAddressEncoder().encode(address(seed)))
  const [account] = await getProgramDerivedAddress({ programAddress: address(PROGRAMS.associatedToken), seeds })
  return account
}

/** An instruction from its parts. A leading `+` marks an account as signer, a trailing `!` as writable. */
export function instruction(program: string, accounts: string[], data: Uint8Array | number[] | string): Instruction {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : Uint8Array.from(data)
  return { programAddress: address(program), accounts: accounts.map(metaOf), data: bytes }
}

function metaOf(written: string): AccountMeta {
  const [signs, writes] = [written.startsWith('+'), written.endsWith('!')]
  const roles = writes
    ? { true: AccountRole.WRITABLE_SIGNER, false: AccountRole.WRITABLE }
    : { true: AccountRole.READONLY_SIGNER, false: AccountRole.READONLY }
  return { address: address(written.replace(/^\+|!$/g, '')), role: roles[`${signs}`] }
}

export function setComputeUnitLimit(units: number): Instruction {
  const data = Buffer.alloc(5, 2)
  data.writeUInt32LE(units, 1)
  return instruction(PROGRAMS.computeBudget, [], data)
}

export function setComputeUnitPrice(microLamports: bigint): Instruction {
  const data = Buffer.alloc(9, 3)
  data.writeBigUInt64LE(microLamports, 1)
  return instruction(PROGRAMS.computeBudget, [], data)
}

export type TransferOptions = {
  source: string
  mint: string
  destination: string
  authority: string
  amount: bigint
  decimals?: number
  program?: string
  /** Whether the authority is a signer. */
  signs?: boolean
}

export function transferChecked(options: TransferOptions): Instruction {
  const { source, mint, destination, authority, program = PROGRAMS.token, signs = true } = options
  const data = Buffer.alloc(10, 12)
  data.writeBigUInt64LE(options.amount, 1)
  data.writeUInt8(options.decimals ?? 6, 9)
  return instruction(program, [`${source}!`, mint, `${destination}!`, `${signs ? '+' : ''}${authority}`], data)
}

export function memoOf(text: string | Uint8Array, signers: string[] = []): Instruction {
  return instruction(PROGRAMS.memo, signers, text)
}

/** A Lighthouse assertion, which wallets add for their owner's safety. */
export function lighthouse(accounts: string[]): Instruction {
  return instruction(PROGRAMS.lighthouse, accounts, [6, 0, 1])
}

/** A merchant's requirements on Solana devnet. */
export type SvmTerms = { feePayer: string; payTo: string; amount?: bigint; memo?: string }

type Changed = { requirements?: Json; accepted?: Json; payload?: Json }

const extraOf = ({ feePayer, memo }: SvmTerms): Json => ({ feePayer, ...(memo === undefined ? {} : { memo }) })

/** A settle or verify body as today's official client and middleware send it. */
export function svmV2Body(transaction: string, terms: SvmTerms, changed: Changed = {}): Json {
  const asked = {
    scheme: 'exact',
    network: SVM_NETWORK,
    amount: String(terms.amount ?? 1_000n),
    asset: SVM_USDC,
    payTo: terms.payTo,
    maxTimeoutSeconds: 60,
    extra: extraOf(terms),
    ...changed.requirements,
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { transaction, ...changed.payload },
      resource: { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' },
      accepted: { ...asked, ...changed.accepted },
    },
    paymentRequirements: asked,
  }
}

/** A settle or verify body as legacy clients send it. */
export function svmV1Body(transaction: string, terms: SvmTerms, changed: Changed = {}): Json {
  return {
    x402Version: 1,
    paymentPayload: {
      x402Version: 1,
      scheme: 'exact',
      network: 'solana-devnet',
      ...changed.accepted,
      payload: { transaction, ...changed.payload },
    },
    paymentRequirements: {
      scheme: 'exact',
      network: 'solana-devnet',
      maxAmountRequired: String(terms.amount ?? 1_000n),
      resource: 'http://merchant.test/weather',
      description: 'Weather',
      mimeType: 'application/json',
      payTo: terms.payTo,
      maxTimeoutSeconds: 60,
      asset: SVM_USDC,
      extra: extraOf(terms),
      ...changed.requirements,
    },
  }
}

/** The transaction with an edited message, signed again by its payer as the second signer. */
export async function svmEdited(
  transaction: string,
  payer: KeyPairSigner,
  edit: (message: Uint8Array) => Uint8Array,
): Promise<string> {
  const wire = Buffer.from(transaction, 'base64')
  const at = 1 + 64 * (wire[0] ?? 0)
  const message = edit(Uint8Array.from(wire.subarray(at)))
  const signature = await signBytes(payer.keyPair.privateKey, message)
  return Buffer.concat([wire.subarray(0, 65), signature, message]).toString('base64')
}
