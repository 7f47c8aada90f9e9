import { base58 } from '@scure/base'

/** The program of payment channels, which `upto` uses on Solana. */
export const channelProgram = 'CHNLxYvVA28MJP9PrFuDXccuoGXAx7jBacfLEkahyGsX'

const channelBytes = 256

/** What a channel can be, by the number in its account. */
export const status = { open: 0, closing: 1, sealed: 2, distributed: 3 } as const

/** A channel as its account holds it: amounts in atomic units, times in Unix seconds, addresses in base58. */
export type ChannelAccount = {
  bump: number
  status: number
  salt: bigint
  deposit: bigint
  settled: bigint
  paidOut: bigint
  closureStartedAt: bigint
  payerWithdrawnAt: bigint
  gracePeriod: number
  distributionHash: Uint8Array
  payer: string
  payee: string
  authorizedSigner: string
  mint: string
  rentPayer: string
  openSlot: bigint
}

const discriminator = 1
const version = 1

/** Reads a channel's account; undefined for other bytes. */
export function readChannel(bytes: Uint8Array): ChannelAccount | undefined {
  if (bytes.length !== channelBytes || bytes[0] !== discriminator) return undefined
  const data = Buffer.from(bytes)
  const address = (at: number) => base58.encode(data.subarray(at, at + 32))
  return {
    bump: data.readUInt8(2),
    status: data.readUInt8(3),
    salt: data.readBigUInt64LE(4),
    deposit: data.readBigUInt64LE(12),
    settled: data.readBigUInt64LE(20),
    paidOut: data.readBigUInt64LE(28),
    closureStartedAt: data.readBigInt64LE(36),
    payerWithdrawnAt: data.readBigInt64LE(44),
    gracePeriod: data.readUInt32LE(52),
    distributionHash: data.subarray(56, 88),
    payer: address(88),
    payee: address(120),
    authorizedSigner: address(152),
    mint: address(184),
    rentPayer: address(216),
    openSlot: data.readBigUInt64LE(248),
  }
}

/** The bytes of a channel's account. */
export function writeChannel(channel: ChannelAccount): Uint8Array {
  const data = Buffer.alloc(channelBytes)
  data.set([discriminator, version, channel.bump, channel.status])
  data.writeBigUInt64LE(channel.salt, 4)
  data.writeBigUInt64LE(channel.deposit, 12)
  data.writeBigUInt64LE(channel.settled, 20)
  data.writeBigUInt64LE(channel.paidOut, 28)
  data.writeBigInt64LE(channel.closureStartedAt, 36)
  data.writeBigInt64LE(channel.payerWithdrawnAt, 44)
  data.writeUInt32LE(channel.gracePeriod, 52)
  data.set(channel.distributionHash, 56)
  const { payer, payee, authorizedSigner, mint, rentPayer } = channel
  for (const [place, address] of [payer, payee, authorizedSigner, mint, rentPayer].entries())
    data.set(base58.decode(address), 88 + 32 * place)
  data.writeBigUInt64LE(channel.openSlot, 248)
  return data
}
