import secp256k1 from 'secp256k1'
import { type Hex, hexToBytes } from 'viem'
import { addressOfKey } from '../../../server/chains/evm/signer'
import { mainAsset } from '../../../server/x402/networks/networks'
import type { ChannelConfig } from '../../../server/x402/schemes/batch-settlement/channel'
import { channelIdOf, voucherHash } from '../../../server/x402/schemes/batch-settlement/hashes'
import { COLLECTOR, nonceOf } from './channel-contract'
import { AUTHORIZERS, NETWORK } from './instance'
import { MERCHANTS } from './merchants'
import { sign, signHash } from './purchase'
import type { Random } from './random'
import type { Selling } from './selling'
import { type Authorization, word } from './token'

const { address: asset, domain } = mainAsset(NETWORK)
/** Who is paid for all channels. */
export const RECEIVER: Hex = `0x${'d4'.repeat(20)}`
/** The most that one answer costs, and what a deposit moves. */
export const PRICE = 1_000n
export const DEPOSIT = 10_000n

/** The wallets that open channels. */
const WALLETS = [201n, 202n, 203n].map((number) => {
  const key = hexToBytes(word(number))
  return { key, address: addressOfKey(secp256k1.publicKeyCreate(key, false)) }
})

/** What the wallets have at the start. */
export const channelBalances = (): Map<Hex, bigint> => new Map(WALLETS.map(({ address }) => [address, 3n * DEPOSIT] as const))

/** A channel that a wallet may open in a run that begins at `now` (Unix seconds). */
export function newSelling(at: number, now: bigint, random: Random, withdrawDelay = 900): Selling {
  const wallet = WALLETS[at % WALLETS.length]
  const authorizer = AUTHORIZERS.newest(MERCHANTS.keyed.owner)
  if (!wallet || !authorizer) throw new Error('no wallet or no authorizer')
  const payer: Hex = `0x${wallet.address.slice(2).toLowerCase()}`
  const config: ChannelConfig = {
    payer,
    payerAuthorizer: payer,
    receiver: RECEIVER,
    receiverAuthorizer: authorizer.address,
    token: asset,
    withdrawDelay,
    salt: random.hex(32),
  }
  const id = channelIdOf(NETWORK, config)
  const counted = { open: false, charged: 0n, charges: [], signed: 0n, closing: false, kept: null }
  return { name: `c${at}`, id, config, key: wallet.key, ...newDeposit({ id, payer }, now, random), ...counted }
}

/** A signed deposit into a channel. */
export type Deposit = Pick<Selling, 'authorization' | 'salt'>

/** One more deposit into a channel. */
export function newDeposit({ id, payer }: { id: Hex; payer: Hex }, now: bigint, random: Random): Deposit {
  const salt = random.hex(32)
  const authorization: Authorization = {
    method: 'eip3009',
    from: payer,
    to: COLLECTOR,
    value: DEPOSIT,
    validAfter: 0n,
    validBefore: now + BigInt(random.whole(20, 60)),
    nonce: nonceOf(id, BigInt(salt)),
    permit: null,
    deposit: id,
  }
  return { authorization, salt }
}

/** A voucher over so much, as its payer signs it. */
export const voucherOf = ({ id, key }: Selling, most: bigint) => ({
  channelId: id,
  maxClaimableAmount: String(most),
  signature: signHash(voucherHash(NETWORK, id, most), key),
})

/** A row of a claim: a total by a voucher. */
export const rowOf = (selling: Selling, total: bigint, most: bigint) => ({
  voucher: { channel: selling.config, maxClaimableAmount: String(most) },
  signature: voucherOf(selling, most).signature,
  totalClaimed: String(total),
})

function bodyOf(payload: object, requirements: object): object {
  const resource = { url: 'http://merchant.test/stream' }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, payload, resource, accepted: requirements },
    paymentRequirements: requirements,
  }
}

const common = { scheme: 'batch-settlement', network: NETWORK, asset, payTo: RECEIVER }
/** The request of a channel manager. */
export const managerBody = (payload: object) => bodyOf(payload, { ...common, amount: '0', maxTimeoutSeconds: 0, extra: {} })

/** A request with the price of an answer. */
export const soldBody = (payload: object, { config: { receiverAuthorizer, withdrawDelay } }: Selling, amount = PRICE) =>
  bodyOf(payload, {
    ...common,
    amount: String(amount),
    maxTimeoutSeconds: 300,
    extra: { ...domain, receiverAuthorizer, withdrawDelay },
  })

/** The request that settles a deposit: its voucher is over `most`, and `charge` of it is charged. */
export function depositBody(
  selling: Selling,
  { authorization, salt }: Deposit = selling,
  { most, charge } = { most: PRICE, charge: PRICE },
): object {
  const { config, key } = selling
  const { value, validAfter, validBefore } = authorization
  const digits = { validAfter: String(validAfter), validBefore: String(validBefore) }
  const signed = { erc3009Authorization: { ...digits, salt, signature: sign(authorization, key) } }
  const voucher = voucherOf(selling, most)
  const deposit = { amount: String(value), authorization: signed }
  return soldBody({ type: 'deposit', channelConfig: config, voucher, deposit }, selling, charge)
}

/** The request of a refund behind a claim of so much. */
export const refundBody = (selling: Selling, total: bigint): object =>
  managerBody({
    type: 'refund',
    channelConfig: selling.config,
    voucher: voucherOf(selling, total),
    amount: String(DEPOSIT),
    refundNonce: '0',
    claims: total > 0n ? [rowOf(selling, total, total)] : [],
  })
