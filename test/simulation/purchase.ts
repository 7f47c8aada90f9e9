import secp256k1 from 'secp256k1'
import { bytesToHex, concat, encodeAbiParameters, type Hex, hexToBytes, keccak256, pad, stringToHex } from 'viem'
import { addressOf } from '../../server/chains/evm/signer'
import { mainAsset, networkRow } from '../../server/x402/networks'
import { NETWORK } from './instance'
import { MERCHANTS, type Merchant } from './merchants'
import type { Random } from './random'
import { type Authorization, word } from './token'

/** How a request differs from the correct one. */
export type Variant = 'honest' | 'other amount' | 'other payee' | 'other caller'

/** One settle request, with its Idempotency-Key if it has one. */
export type Asking = { purchase: Purchase; variant: Variant; merchant: Merchant; idempotencyKey: string | null }

/** The answer, or 'nothing'. `later`: it asks for a retry. */
export type Heard = { status: number; replayed: boolean; later: boolean; body: Record<string, unknown> } | 'nothing'

/** The fault of a payment from the start. */
export type Flaw = 'none' | 'poor' | 'other amount' | 'other payee' | 'forged' | 'late'

/** A signed authorization and its merchant. */
export type Purchase = {
  /** A short name in traces. */
  name: string
  merchant: Merchant
  authorization: Authorization
  signature: Hex
  flaw: Flaw
  /** The merchant's terms: those of the authorization unless the flaw changes them. */
  asked: { amount: bigint; payTo: Hex }
}

const { chainId } = networkRow(NETWORK)
const { address: asset, domain } = mainAsset(NETWORK)
const hashText = (text: string) => keccak256(stringToHex(text))
const SEPARATOR = keccak256(
  encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
    [
      hashText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
      ...([hashText(domain.name), hashText(domain.version)] as const),
      ...([BigInt(chainId), asset] as const),
    ],
  ),
)
const TYPE = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** A wallet with a fixed key. */
export type Wallet = { address: Hex; key: Uint8Array }

/** The payers of every run. */
export const PAYERS: readonly Wallet[] = Array.from({ length: 6 }, (_, at) => walletOf(101 + at))
/** The recipients. */
const PAYEES = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const satisfies Hex[]

function walletOf(number: number): Wallet {
  const key = hexToBytes(word(BigInt(number)))
  return { address: addressOf(secp256k1.publicKeyCreate(key, false)), key }
}

function sign({ from, to, value, validAfter, validBefore, nonce }: Authorization, key: Uint8Array): Hex {
  const numbers = [word(value), word(validAfter), word(validBefore)]
  const struct = keccak256(concat([TYPE, pad(from), pad(to), ...numbers, nonce]))
  const { signature, recid } = secp256k1.ecdsaSign(keccak256(concat(['0x1901', SEPARATOR, struct]), 'bytes'), key)
  return concat([bytesToHex(signature), recid === 0 ? '0x1b' : '0x1c'])
}

/** Draws a purchase, usually valid and from the usual merchant, in a run that begins at `now` (Unix seconds). */
export function drawPurchase(random: Random, at: number, now: bigint, usual: Merchant): Purchase {
  const payer = random.pick(PAYERS)
  const other = random.pick(PAYERS)
  const payTo = random.pick(PAYEES)
  const amount = BigInt(random.whole(1, 3)) * 1_000n
  const drawn: Flaw = random.chance(0.75) ? 'none' : random.pick(['poor', 'other amount', 'other payee', 'forged', 'late'])
  const flaw = drawn === 'forged' && other === payer ? 'none' : drawn
  const end = endOf(flaw, random)
  const authorization: Authorization = {
    ...{ from: payer.address, to: payTo, value: flaw === 'poor' ? 10n ** 12n : amount, validAfter: 0n },
    validBefore: end === NEVER ? 2n ** 256n - 1n : now + BigInt(end),
    nonce: random.hex(32),
  }
  const asked = {
    amount: flaw === 'other amount' ? amount + 1n : authorization.value,
    payTo: flaw === 'other payee' ? (PAYEES.find((one) => one !== payTo) ?? payTo) : payTo,
  }
  const merchant = random.chance(0.6) ? usual : random.pick<Merchant>([MERCHANTS.sandbox, MERCHANTS.keyed, MERCHANTS.small])
  const signature = sign(authorization, flaw === 'forged' ? other.key : payer.key)
  return { name: `p${at}`, merchant, authorization, signature, flaw, asked }
}

/** An authorization that never expires: `validBefore` is 2^256 - 1. */
const NEVER = 'never'

/** The expiry in seconds from the start of a run: too soon, during the faults, long after them, or never. */
function endOf(flaw: Flaw, random: Random): number | typeof NEVER {
  if (flaw === 'late') return random.whole(3, 6)
  if (random.chance(0.2)) return NEVER
  return random.chance(0.3) ? random.whole(8, 12) : random.whole(15, 40)
}

/** The body of a version 2 settle request. */
export function bodyOf({ authorization, signature }: Purchase, { amount, payTo }: Purchase['asked']): object {
  const { value, validAfter, validBefore, ...rest } = authorization
  const digits = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  const requirements = {
    ...{ scheme: 'exact', network: NETWORK, amount: String(amount), asset, payTo, maxTimeoutSeconds: 300 },
    extra: { ...domain },
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { signature, authorization: { ...rest, ...digits } },
      resource: { url: 'http://merchant.test/weather' },
      accepted: requirements,
    },
    paymentRequirements: requirements,
  }
}
