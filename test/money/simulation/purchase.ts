import secp256k1 from 'secp256k1'
import { bytesToHex, concat, encodeAbiParameters, type Hex, hexToBytes, keccak256, pad, stringToHex } from 'viem'
import { mainAsset, networkRow } from '../../../server/x402/networks/networks'
import { type Approval, approvingOf } from './approval'
import { NETWORK } from './instance'
import { MERCHANTS, type Merchant } from './merchants'
import { PAYERS, walletAt } from './payers'
import { PERMIT2, permit2Hash, proxyOf } from './permit2'
import type { Random } from './random'
import { type Authorization, spentBy, type TokenPermit, word } from './token'

/** How a request differs from the correct one. */
export type Variant = 'honest' | 'other amount' | 'other payee' | 'other caller'

/** One settle request, with its Idempotency-Key if it has one. */
export type Asking = { purchase: Purchase; variant: Variant; merchant: Merchant; idempotencyKey: string | null }

/** The answer, or 'nothing'. `later`: it asks for a retry. */
export type Heard = { status: number; replayed: boolean; later: boolean; body: Record<string, unknown> } | 'nothing'

/** The fault of a payment from the start. Of a refused one only a simulation shows it, once Permit2 may take the tokens. */
type Flaw = 'none' | 'poor' | 'other amount' | 'other payee' | 'forged' | 'late' | 'refused'

/** A signed authorization and its merchant. */
export type Purchase = {
  /** A short name in traces. */
  name: string
  merchant: Merchant
  authorization: Authorization
  signature: Hex
  flaw: Flaw
  /** The payer's own transaction that is sent along and lets Permit2 take its tokens. */
  approval: Approval | null
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
      hashText(domain.name),
      hashText(domain.version),
      BigInt(chainId),
      asset,
    ],
  ),
)
const TYPE = hashText(
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

const RECEIVE_TYPE = hashText(
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** The recipients. */
const PAYEES = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`] as const satisfies Hex[]

/** The payer's signature. */
export function sign(authorization: Authorization, key: Uint8Array): Hex {
  const { method, from, to, value, validAfter, validBefore, nonce, deposit } = authorization
  const numbers = [word(value), word(validAfter), word(validBefore)]
  const struct = keccak256(concat([deposit ? RECEIVE_TYPE : TYPE, pad(from), pad(to), ...numbers, nonce]))
  const hash = method === 'eip3009' ? keccak256(concat(['0x1901', SEPARATOR, struct])) : permit2Hash(chainId, authorization)
  return signHash(hash, key)
}

/** The signature of a hash by a key. */
export function signHash(hash: Hex, key: Uint8Array): Hex {
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(hash), key)
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
    from: payer.address,
    to: payTo,
    value: flaw === 'poor' ? 10n ** 12n : amount,
    validAfter: 0n,
    validBefore: end === NEVER ? 2n ** 256n - 1n : now + BigInt(end),
    nonce: random.hex(32),
    method: 'eip3009',
    permit: null,
  }
  const asked = {
    amount: flaw === 'other amount' ? amount + 1n : authorization.value,
    payTo: flaw === 'other payee' ? (PAYEES.find((one) => one !== payTo) ?? payTo) : payTo,
  }
  const merchant = random.chance(0.6) ? usual : random.pick<Merchant>([MERCHANTS.sandbox, MERCHANTS.keyed, MERCHANTS.small])
  const signature = sign(authorization, flaw === 'forged' ? other.key : payer.key)
  return { name: `p${at}`, merchant, authorization, signature, flaw, approval: null, asked }
}

/** An authorization that never expires: `validBefore` is 2^256 - 1. */
const NEVER = 'never'

/** The expiry in seconds from the start of a run: too soon, during the faults, long after them, or never. */
function endOf(flaw: Flaw, random: Random): number | typeof NEVER {
  if (flaw === 'late') return random.whole(3, 6)
  if (random.chance(0.2)) return NEVER
  return random.chance(0.3) ? random.whole(8, 12) : random.whole(15, 40)
}

/** How a run's payments differ from those by EIP-3009 that were drawn for it. */
export type Twist = {
  /** How many are by Permit2. */
  share: number
  /** Nearly all are good and for one merchant. */
  crowd: Merchant | null
  random: Random
}

/**
 * Another purchase in the place of one that was drawn: some are paid by Permit2, some of these with a permit of the token, and some equal
 * an earlier one but for the nonce and the end.
 */
export function redraw(drawn: Purchase, before: readonly Purchase[], { share, crowd, random }: Twist): Purchase {
  const models = before.filter(({ flaw, authorization: { upto } }) => flaw === 'none' && !upto)
  const equal = models.length > 0 && random.chance(0.45) ? random.pick(models) : null
  const model = equal ?? (crowd && random.chance(0.9) ? flawless(drawn, crowd) : drawn)
  const { validAfter, validBefore: end, nonce } = drawn.authorization
  const { from, to, value } = model.authorization
  const byPermit2 = random.chance(share)
  // The last second of the longest one is 2^256 - 1, too.
  const validBefore = byPermit2 && end === 2n ** 256n - 1n ? 2n ** 256n : end
  const authorization: Authorization = {
    method: byPermit2 ? 'permit2' : 'eip3009',
    from,
    to,
    value,
    validAfter,
    validBefore,
    nonce: byPermit2 ? permit2Nonce(before, equal, from, random) : nonce,
    permit: byPermit2 && random.chance(0.3) ? permitOf(before, { from, value, validBefore }, random) : null,
  }
  const { flaw, merchant, asked } = model
  const { key } = walletAt(flaw === 'forged' ? PAYERS.find(({ address }) => address !== from)?.address : from)
  return { ...drawn, merchant, asked, flaw, authorization, signature: sign(authorization, key) }
}

function flawless(drawn: Purchase, merchant: Merchant): Purchase {
  const { to, value: most } = drawn.authorization
  const value = most > 3_000n ? 1_000n : most
  return {
    ...drawn,
    merchant,
    flaw: 'none',
    asked: { amount: value, payTo: to },
    authorization: { ...drawn.authorization, value },
  }
}

/** The words of Permit2's bitmap from which nonces are drawn: few, so that the bits of a payer's nonces are neighbours. */
const WORDS = [0n, 1n, 2n ** 248n - 1n] as const

/** A nonce of Permit2 that the payer has not used: sometimes that of an equal authorization of the token. */
export function permit2Nonce(before: readonly Purchase[], model: Purchase | null, from: Hex, random: Random): Hex {
  const used = new Set(before.map(({ authorization }) => spentBy(authorization)))
  const isUsed = (nonce: Hex) => used.has(spentBy({ method: 'permit2', from, nonce }))
  const same = model?.authorization.nonce
  if (same && !isUsed(same) && random.chance(0.1)) return same
  for (;;) {
    const nonce = word((random.pick(WORDS) << 8n) | BigInt(random.pick([0, 255, random.whole(0, 7)])))
    if (!isUsed(nonce)) return nonce
  }
}

/** The next permit of a payer: the token counts them. */
function permitOf(before: readonly Purchase[], signed: Pick<Authorization, 'from' | 'value' | 'validBefore'>, random: Random) {
  const { from, value, validBefore } = signed
  const nonce = BigInt(before.filter(({ authorization }) => authorization.from === from && authorization.permit).length)
  return { value, deadline: validBefore - 1n, nonce, salt: random.hex(32) }
}

/** The body of a version 2 settle request. */
export function bodyOf({ authorization, signature, approval }: Purchase, { amount, payTo }: Purchase['asked']): object {
  const byPermit2 = authorization.method !== 'eip3009'
  const { upto } = authorization
  const requirements = {
    scheme: upto ? 'upto' : 'exact',
    network: NETWORK,
    amount: String(amount),
    asset,
    payTo,
    maxTimeoutSeconds: 300,
    extra: {
      ...domain,
      ...(byPermit2 ? { assetTransferMethod: 'permit2' } : {}),
      ...(upto ? { facilitatorAddress: upto.facilitator } : {}),
    },
  }
  return {
    x402Version: 2,
    paymentPayload: {
      x402Version: 2,
      payload: { signature, ...(byPermit2 ? permit2Fields(authorization) : eip3009Fields(authorization)) },
      resource: { url: 'http://merchant.test/weather' },
      accepted: upto ? { ...requirements, amount: String(upto.maximum) } : requirements,
      ...(authorization.permit ? { extensions: sponsoringOf(authorization, authorization.permit) } : {}),
      ...(approval ? { extensions: approvingOf(authorization, approval) } : {}),
    },
    paymentRequirements: requirements,
  }
}

function eip3009Fields({ from, to, nonce, value, validAfter, validBefore }: Authorization) {
  const digits = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
  return { authorization: { from, to, nonce, ...digits } }
}

function permit2Fields(authorization: Authorization) {
  const { from, to, nonce, value, validAfter, validBefore, upto } = authorization
  const permitted = { token: asset, amount: String(upto?.maximum ?? value) }
  const witness = { to, ...(upto ? { facilitator: upto.facilitator } : {}), validAfter: String(validAfter) }
  const digits = { nonce: String(BigInt(nonce)), deadline: String(validBefore - 1n) }
  return { permit2Authorization: { from, permitted, spender: proxyOf(authorization), ...digits, witness } }
}

function sponsoringOf({ from }: Authorization, { value, deadline, nonce, salt }: TokenPermit): object {
  const signature = concat([word(nonce), salt, '0x1b'])
  const digits = { amount: String(value), nonce: String(nonce), deadline: String(deadline) }
  return { eip2612GasSponsoring: { info: { from, asset, spender: PERMIT2, ...digits, signature, version: '1' } } }
}
