import type { Hex } from 'viem'
import { networkRow } from '../../../server/x402/networks/networks'
import { NETWORK } from './instance'
import { AWAY, walletAt } from './payers'
import { approvalData, PERMIT2, UNLIMITED } from './permit2'
import type { Random } from './random'
import { ASSET, type Authorization } from './token'

/** The most that the service pays for a payer's approval, in coins and in wei. */
export const APPROVAL_MAX = { coins: '0.0003', wei: 3n * 10n ** 14n }

/** A payer's signed transaction that lets Permit2 take its tokens. Fees are wei per gas, `cost` is wei. */
export type Approval = { raw: Hex; hash: Hex; nonce: bigint; cost: bigint; allows: bigint }

const GWEI = 10n ** 9n

/**
 * Draws the approval of a payment behind the ones that its payer signed before. Usually it is good. Some have a wrong nonce, too little
 * gas, a fee that no block takes or that we do not pay, or let Permit2 take too little.
 */
export function drawApproval(
  { from, value }: Pick<Authorization, 'from' | 'value'>,
  before: readonly Approval[],
  random: Random,
): Approval {
  const last = before.at(-1)
  if (last && random.chance(0.6)) return last
  const next = last ? last.nonce + 1n : 0n
  const nonce = random.chance(0.05) ? next + 1n : next
  const gas = random.chance(0.05) ? 40_000n : 60_000n
  const maxFeePerGas = random.pick([30n, 30n, 30n, 30n, 45n, 45n, 12n, 8n, 250n]) * (GWEI / 10n)
  const allows = random.pick([UNLIMITED, UNLIMITED, UNLIMITED, value, value - 1n])
  const call: PayersCall = { to: ASSET, data: approvalData(allows), value: 0n, gas }
  return { ...signByPayer(from, call, nonce, maxFeePerGas), nonce, cost: gas * maxFeePerGas, allows }
}

/** What a payer's account holds at the start, in wei: nothing, less than an approval costs, or more. */
export const drawEther = (random: Random): bigint => random.pick([0n, 0n, 0n, 10n ** 14n, 10n ** 15n])

/** What a payer does with the ether that it was sent. */
export type Taking = 'moves its ether away' | 'uses the nonce'

/** A payer's own transaction with this nonce that leaves less than an approval costs, or only uses the nonce; null while it cannot. */
export function takingOf(taking: Taking, from: Hex, nonce: bigint, held: bigint): Hex | null {
  const gas = 21_000n
  const fee = taking === 'moves its ether away' ? 4n * GWEI : 2n * GWEI
  const left = held - gas * fee
  if (left < 0n) return null
  return signByPayer(from, { to: AWAY, data: '0x', value: taking === 'moves its ether away' ? left : 0n, gas }, nonce, fee).raw
}

/** The extension by which a payer sends its approval along. */
export function approvingOf({ from }: Pick<Authorization, 'from'>, { raw }: Approval): object {
  const info = { from, asset: ASSET, spender: PERMIT2, amount: String(UNLIMITED), signedTransaction: raw, version: '1' }
  return { erc20ApprovalGasSponsoring: { info } }
}

type PayersCall = { to: Hex; data: Hex; value: bigint; gas: bigint }

function signByPayer(from: Hex, call: PayersCall, nonce: bigint, maxFeePerGas: bigint): { raw: Hex; hash: Hex } {
  const fees = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas / 2n }
  return walletAt(from).signer.sign({
    type: 'eip1559',
    chainId: networkRow(NETWORK).chainId,
    nonce: Number(nonce),
    ...call,
    ...fees,
  })
}
