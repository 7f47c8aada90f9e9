import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { associatedAccount } from '../../../server/x402/schemes/exact/svm/associated-account'
import { derivedAddress, isOnCurve } from '../../../server/x402/schemes/exact/svm/derived-address'
import { systemProgram } from '../faucet'
import { tokenProgram } from '../tokens'
import type { WireInstruction } from '../wire'
import { type ChannelAccount, channelProgram, readChannel, status, writeChannel } from './account'
import { close, create, custom, heldAt, moveTokens, need, openHeld, ProgramFault, type World } from './world'

/** One call of the program: its accounts by address, and what the transaction allows with them. */
export type ChannelCall = {
  accounts: readonly string[]
  data: Uint8Array
  /** The instruction before it in the transaction. */
  previous: WireInstruction | undefined
  isSigner: (address: string) => boolean
  isWritable: (address: string) => boolean
}

// The real program is on no package registry. This one follows its clients and its public source.
const openSlotWindow = 1_500n
const rentSysvar = 'SysvarRent111111111111111111111111111111111'
const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const ed25519Program = 'Ed25519SigVerify111111111111111111111111111'
const instructionsSysvar = 'Sysvar1nstructions1111111111111111111111111'
const programKey = base58.decode(channelProgram)
const eventAuthority = derivedAddress([Buffer.from('event_authority')], programKey).address

const fault = {
  status: 2,
  rentPayer: 10,
  depositZero: 200,
  graceZero: 201,
  noVoucher: 230,
  voucherMalformed: 231,
  voucherChannel: 232,
  voucherExpired: 233,
  voucherNotMonotonic: 234,
  voucherOverDeposit: 235,
  voucherSigner: 237,
  voucherMagic: 238,
  distribution: 260,
  address: 2_000,
  payerIsPayee: 2_001,
  signerOffCurve: 2_002,
  openSlot: 2_003,
  notDistributable: 2_400,
  treasury: 2_401,
  recipient: 2_404,
  distributionHash: 2_407,
  closeTooEarly: 2_414,
} as const

type Names<Name extends string> = Record<Name, string>

/** The accounts of a call by name. Throws when there are fewer, or when one lacks what its name needs. */
function named<Name extends string>(call: ChannelCall, names: readonly Name[], roles: { signers: Name[]; writable: Name[] }) {
  if (call.accounts.length < names.length) throw new ProgramFault('NotEnoughAccountKeys')
  const accounts = Object.fromEntries(names.map((name, at) => [name, call.accounts[at] ?? ''])) as Names<Name>
  for (const name of roles.signers) need(call.isSigner(accounts[name]), new ProgramFault('MissingRequiredSignature'))
  for (const name of roles.writable) need(call.isWritable(accounts[name]), new ProgramFault('InvalidArgument'))
  return accounts
}

const same = (one: string, other: string | null): void => need(one === other, custom(fault.address))

function channelAt({ read }: World, address: string): ChannelAccount {
  const account = read(address)
  const channel = account?.owner === channelProgram ? readChannel(account.data) : undefined
  if (channel === undefined) throw new ProgramFault('InvalidAccountData')
  return channel
}

function change(world: World, address: string, changes: Partial<ChannelAccount>): void {
  const account = world.read(address)
  if (account === undefined) throw new ProgramFault('InvalidAccountData')
  world.write(address, { ...account, data: writeChannel({ ...channelAt(world, address), ...changes }) })
}

type Share = { recipient: string; bps: number }

/** The shares of a distribution at a place of a call's data. */
function sharesAt(data: Buffer, from: number): Share[] {
  const count = data.length >= from + 4 ? data.readUInt32LE(from) : -1
  if (count < 0 || data.length !== from + 4 + 34 * count) throw new ProgramFault('InvalidInstructionData')
  const shares = Array.from({ length: count }, (_, place) => {
    const start = from + 4 + 34 * place
    return { recipient: base58.encode(data.subarray(start, start + 32)), bps: data.readUInt16LE(start + 32) }
  })
  const whole = shares.reduce((sum, { bps }) => sum + bps, 0)
  need(count > 0 && whole <= 10_000 && shares.every(({ bps }) => bps > 0), custom(fault.distribution))
  return shares
}

const hashOf = (shares: Buffer) => createHash('sha256').update(shares).digest()
const tokenAccountOf = (owner: string, mint: string) => associatedAccount(owner, mint, tokenProgram)

const openNames =
  'payer rentPayer payee mint authorizedSigner channel payerTokens channelTokens token system rent associated events self'.split(
    ' ',
  ) as readonly OpenName[]
type OpenName =
  | 'payer'
  | 'rentPayer'
  | 'payee'
  | 'mint'
  | 'authorizedSigner'
  | 'channel'
  | 'payerTokens'
  | 'channelTokens'
  | 'token'
  | 'system'
  | 'rent'
  | 'associated'
  | 'events'
  | 'self'

function open(world: World, call: ChannelCall): void {
  const used = named(call, openNames, {
    signers: ['payer', 'rentPayer'],
    writable: ['payer', 'rentPayer', 'channel', 'payerTokens', 'channelTokens'],
  })
  const data = Buffer.from(call.data)
  if (data.length < 33) throw new ProgramFault('InvalidInstructionData')
  const [salt, deposit, gracePeriod] = [data.readBigUInt64LE(1), data.readBigUInt64LE(9), data.readUInt32LE(17)]
  const openSlot = data.readBigUInt64LE(21)
  sharesAt(data, 29)
  const { payer, rentPayer, payee, mint, authorizedSigner, channel } = used
  for (const [address, wanted] of [
    [used.token, tokenProgram],
    [used.system, systemProgram],
    [used.rent, rentSysvar],
    [used.associated, associatedTokenProgram],
    [used.events, eventAuthority],
    [used.self, channelProgram],
    [used.payerTokens, tokenAccountOf(payer, mint)],
    [used.channelTokens, tokenAccountOf(channel, mint)],
  ] as const)
    same(address, wanted)
  need(deposit > 0n, custom(fault.depositZero))
  need(gracePeriod > 0, custom(fault.graceZero))
  need(payer !== payee, custom(fault.payerIsPayee))
  need(isOnCurve(base58.decode(authorizedSigner)), custom(fault.signerOffCurve))
  need(openSlot <= world.slot && world.slot - openSlot <= openSlotWindow, custom(fault.openSlot))
  const numbers = Buffer.alloc(16)
  numbers.writeBigUInt64LE(salt, 0)
  numbers.writeBigUInt64LE(openSlot, 8)
  const seeds = [payer, payee, mint, authorizedSigner].map((address) => base58.decode(address))
  const derived = derivedAddress([Buffer.from('channel'), ...seeds, numbers.subarray(0, 8), numbers.subarray(8)], programKey)
  same(channel, derived.address)
  need(world.read(channel) === undefined, custom(0))
  const opened = writeChannel({
    bump: derived.bump,
    status: status.open,
    salt,
    deposit,
    settled: 0n,
    paidOut: 0n,
    closureStartedAt: 0n,
    payerWithdrawnAt: 0n,
    gracePeriod,
    distributionHash: hashOf(data.subarray(29)),
    payer,
    payee,
    authorizedSigner,
    mint,
    rentPayer,
    openSlot,
  })
  create(world, channel, opened, channelProgram, rentPayer)
  if (world.read(used.channelTokens) === undefined) openHeld(world, used.channelTokens, mint, channel, rentPayer)
  moveTokens(world, mint, used.payerTokens, used.channelTokens, deposit)
}

const isUnder = ({ status: now, closureStartedAt, gracePeriod }: ChannelAccount, at: bigint): boolean =>
  now === status.open || (now === status.closing && at < closureStartedAt + BigInt(gracePeriod))

/** The voucher in the signature check before the call; the chain has checked the signature itself. */
function voucherOf(previous: WireInstruction | undefined): { signer: string; message: Buffer } {
  if (previous?.program !== ed25519Program) throw custom(fault.noVoucher)
  const data = Buffer.from(previous.data)
  const own = 0xffff
  const layout = [1, 48, own, 16, own, 112, 50, own]
  const read = data.length === 162 ? Array.from(layout, (_, at) => data.readUInt16LE(2 * at)) : []
  need(read.length === layout.length && read.every((word, at) => word === layout[at]), custom(fault.voucherMalformed))
  return { signer: base58.encode(data.subarray(16, 48)), message: data.subarray(112) }
}

function settleAndSeal(world: World, call: ChannelCall): void {
  const {
    payee,
    channel: address,
    sysvar,
  } = named(call, ['payee', 'channel', 'sysvar'], {
    signers: ['payee'],
    writable: ['channel'],
  })
  const channel = channelAt(world, address)
  same(payee, channel.payee)
  same(sysvar, instructionsSysvar)
  need(isUnder(channel, world.now), custom(fault.status))
  const hasVoucher = call.data[1]
  if (call.data.length !== 2 || (hasVoucher !== 0 && hasVoucher !== 1)) throw new ProgramFault('InvalidInstructionData')
  if (hasVoucher === 0) {
    change(world, address, { status: status.sealed })
    return
  }
  const { signer, message } = voucherOf(call.previous)
  need(message[0] === 0x56 && message[1] === 1, custom(fault.voucherMagic))
  need(base58.encode(message.subarray(2, 34)) === address, custom(fault.voucherChannel))
  need(signer === channel.authorizedSigner, custom(fault.voucherSigner))
  const [settled, expiresAt] = [message.readBigUInt64LE(34), message.readBigInt64LE(42)]
  need(expiresAt === 0n || world.now < expiresAt, custom(fault.voucherExpired))
  need(settled > channel.settled, custom(fault.voucherNotMonotonic))
  need(settled <= channel.deposit, custom(fault.voucherOverDeposit))
  change(world, address, { settled, status: status.sealed })
}

function distribute(world: World, call: ChannelCall): void {
  const names = [
    'channel',
    'payer',
    'rentPayer',
    'channelTokens',
    'payerTokens',
    'payeeTokens',
    'treasuryTokens',
    'mint',
    'token',
    'events',
    'self',
  ] as const
  const written = names.slice(0, 7)
  const used = named(call, names, { signers: [], writable: [...written] })
  const channel = channelAt(world, used.channel)
  need(channel.status === status.sealed, custom(fault.notDistributable))
  const data = Buffer.from(call.data)
  const shares = sharesAt(data, 1)
  need(hashOf(data.subarray(1)).equals(channel.distributionHash), custom(fault.distributionHash))
  const { mint } = channel
  for (const [address, wanted] of [
    [used.payer, channel.payer],
    [used.rentPayer, channel.rentPayer],
    [used.mint, mint],
    [used.token, tokenProgram],
    [used.events, eventAuthority],
    [used.self, channelProgram],
    [used.channelTokens, tokenAccountOf(used.channel, mint)],
    [used.payerTokens, tokenAccountOf(channel.payer, mint)],
    [used.payeeTokens, tokenAccountOf(channel.payee, mint)],
  ] as const)
    same(address, wanted)
  need(used.treasuryTokens === tokenAccountOf(world.treasury, mint), custom(fault.treasury))
  need(world.read(used.treasuryTokens) !== undefined, custom(fault.treasury + 1))
  heldAt(world, used.payeeTokens)
  const recipients = call.accounts.slice(names.length)
  need(recipients.length === shares.length, custom(fault.recipient))
  const due = channel.settled - channel.paidOut
  for (const [place, { recipient, bps }] of shares.entries()) {
    const tokens = recipients[place] ?? ''
    need(tokens === tokenAccountOf(recipient, mint), custom(fault.recipient + 1))
    need(world.read(tokens) !== undefined && call.isWritable(tokens), custom(fault.recipient + 2))
    moveTokens(world, mint, used.channelTokens, tokens, (due * BigInt(bps)) / 10_000n)
  }
  if (channel.payerWithdrawnAt === 0n)
    moveTokens(world, mint, used.channelTokens, used.payerTokens, channel.deposit - channel.settled)
  const rest = heldAt(world, used.channelTokens).amount
  moveTokens(world, mint, used.channelTokens, used.treasuryTokens, rest)
  close(world, used.channelTokens, used.rentPayer)
  change(world, used.channel, { status: status.distributed, paidOut: channel.settled })
  if (world.slot > channel.openSlot + openSlotWindow) close(world, used.channel, used.rentPayer)
}

function topUp(world: World, call: ChannelCall): void {
  const names = ['payer', 'channel', 'payerTokens', 'channelTokens', 'mint', 'token'] as const
  const used = named(call, names, { signers: ['payer'], writable: ['channel', 'payerTokens', 'channelTokens'] })
  const channel = channelAt(world, used.channel)
  for (const [address, wanted] of [
    [used.payer, channel.payer],
    [used.mint, channel.mint],
    [used.token, tokenProgram],
    [used.payerTokens, tokenAccountOf(channel.payer, channel.mint)],
    [used.channelTokens, tokenAccountOf(used.channel, channel.mint)],
  ] as const)
    same(address, wanted)
  need(channel.status === status.open, custom(fault.status))
  const data = Buffer.from(call.data)
  if (data.length !== 9) throw new ProgramFault('InvalidInstructionData')
  const amount = data.readBigUInt64LE(1)
  need(amount > 0n, custom(fault.depositZero))
  moveTokens(world, channel.mint, used.payerTokens, used.channelTokens, amount)
  change(world, used.channel, { deposit: channel.deposit + amount })
}

function requestClose(world: World, call: ChannelCall): void {
  const { payer, channel: address } = named(call, ['payer', 'channel'], { signers: ['payer'], writable: ['channel'] })
  const channel = channelAt(world, address)
  same(payer, channel.payer)
  need(channel.status === status.open, custom(fault.status))
  change(world, address, { status: status.closing, closureStartedAt: world.now })
}

function seal(world: World, call: ChannelCall): void {
  const { channel: address } = named(call, ['channel'], { signers: [], writable: ['channel'] })
  const channel = channelAt(world, address)
  need(channel.status === status.closing, custom(fault.status))
  need(world.now >= channel.closureStartedAt + BigInt(channel.gracePeriod), custom(fault.closeTooEarly))
  change(world, address, { status: status.sealed })
}

function withdrawPayer(world: World, call: ChannelCall): void {
  const names = ['payer', 'channel', 'channelTokens', 'payerTokens', 'mint', 'token'] as const
  const used = named(call, names, { signers: ['payer'], writable: ['channel', 'channelTokens', 'payerTokens'] })
  const channel = channelAt(world, used.channel)
  same(used.payer, channel.payer)
  same(used.channelTokens, tokenAccountOf(used.channel, channel.mint))
  same(used.payerTokens, tokenAccountOf(channel.payer, channel.mint))
  need(channel.status === status.sealed && channel.payerWithdrawnAt === 0n, custom(fault.status))
  moveTokens(world, channel.mint, used.channelTokens, used.payerTokens, channel.deposit - channel.settled)
  change(world, used.channel, { payerWithdrawnAt: world.now })
}

function reclaim(world: World, call: ChannelCall): void {
  const names = ['channel', 'rentPayer'] as const
  const used = named(call, names, { signers: [], writable: [...names] })
  const channel = channelAt(world, used.channel)
  need(channel.status === status.distributed, custom(fault.status))
  need(used.rentPayer === channel.rentPayer, custom(fault.rentPayer))
  need(world.slot > channel.openSlot + openSlotWindow, custom(fault.closeTooEarly))
  close(world, used.channel, used.rentPayer)
}

const calls: Partial<Record<number, (world: World, call: ChannelCall) => void>> = {
  1: open,
  3: topUp,
  4: settleAndSeal,
  5: requestClose,
  6: seal,
  7: distribute,
  8: withdrawPayer,
  9: reclaim,
}

/** Applies a call to the accounts of a world. Throws a `ProgramFault`, after which the world is to be thrown away. */
export function applyChannelCall(world: World, call: ChannelCall): void {
  const apply = calls[call.data[0] ?? 0]
  if (apply === undefined) throw new ProgramFault('InvalidInstructionData')
  apply(world, call)
}
