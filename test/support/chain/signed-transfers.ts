import { type Address, type Hex, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../../devnet/chain'
import { mainAsset } from '../../../server/x402/networks/networks'
import type { SignedTransfer } from '../../../server/x402/schemes/evm-method'
import type { SignedEip3009, SignedPermit2 } from '../../../server/x402/schemes/exact/transfers'
import { readSponsoring } from '../../../server/x402/schemes/permit2/sponsoring'
import type { SignedUpto } from '../../../server/x402/schemes/upto/transfers'
import { PAY_TO, signed } from '../payloads/payments'
import type { Permit2Change, Permit2Forge } from '../permit2/permit2'
import type { UptoChange, UptoForge } from '../permit2/upto'

const USDC = mainAsset('eip155:84532').address

/** EIP-3009 transfers of new payers on local Base Sepolia, as the engine has them before it signs. */
export function eip3009Transfers(chain: Chain, count: number, to: Address = PAY_TO): Promise<SignedEip3009[]> {
  return each(count, async () => {
    const payer = privateKeyToAccount(generatePrivateKey())
    await chain.mint(payer.address, 1_000n)
    return { method: 'eip3009', asset: USDC, ...(await signed(payer, { to })), proof: 'key' }
  })
}

/** Permit2 transfers of new payers, as the engine has them before it signs. */
export function permit2Transfers(forge: Permit2Forge, count: number, change: Permit2Change = {}): Promise<SignedPermit2[]> {
  return each(count, async () => permit2Transfer((await forge.paying(change)).body))
}

/** The transfer of a Permit2 payment. */
function permit2Transfer({ paymentPayload }: Record<string, unknown>): SignedPermit2 {
  const { payload, extensions } = Object(paymentPayload)
  const { from, permitted, spender, nonce, deadline, witness } = payload.permit2Authorization
  const token = lower(permitted.token)
  const sponsoring = readSponsoring(extensions)
  return {
    method: 'permit2',
    asset: token,
    signature: payload.signature,
    proof: 'key',
    approval: null,
    permit: sponsoring?.kind === 'eip2612' ? sponsoring.permit : null,
    authorization: {
      from: lower(from),
      to: lower(witness.to),
      token,
      spender: lower(spender),
      value: BigInt(permitted.amount),
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      validAfter: BigInt(witness.validAfter),
    },
  }
}

/** Charges by upto of new payers, as the engine has them before it signs. */
export function uptoTransfers(
  forge: UptoForge,
  count: number,
  { charge, ...change }: UptoChange & { charge: bigint },
): Promise<SignedUpto[]> {
  return each(count, async () => uptoTransfer((await forge.paying(change)).body, charge))
}

/** The transfer of a charge of a payment by upto. */
function uptoTransfer(body: Record<string, unknown>, charge: bigint): SignedUpto {
  const { authorization, ...transfer } = permit2Transfer(body)
  const { facilitator } = Object(body.paymentPayload).payload.permit2Authorization.witness
  const { value: maximum } = authorization
  return {
    ...transfer,
    method: 'upto',
    authorization: { ...authorization, value: charge, maximum, facilitator: lower(facilitator) },
  }
}

/** The payers of transfers, in their order. */
export const payersOf = (carried: readonly SignedTransfer[]): string[] =>
  carried.map(({ authorization }) => authorization.from.toLowerCase())

function lower(text: string): Hex {
  const hex = text.toLowerCase()
  if (!isHex(hex)) throw new Error(`${text} is no address`)
  return hex
}

// One after the other: each new payer sends transactions.
async function each<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let at = 0; at < count; at++) made.push(await make())
  return made
}
