import { concat, encodeFunctionData, type Hex, pad, prepareEncodeFunctionData, toEventSelector, toHex } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../../addresses'
import { atomic } from '../../../atomic'
import { networkRow } from '../../../networks/networks'
import type { Permit2Payment } from '../../../payment'
import { normalSignature } from '../../../signatures'
import { eip3009Transfers, erc20Abi, isEmpty, readTransferLog, TRANSFER, wordOf } from '../../evm-logs'
import type { EventLog, EvmMethod, ProvenTransfer } from '../../evm-method'
import { hexText } from '../../evm-stored'
import type { Permit2Authorization, SignedPermit2 } from '../transfers'
import { EXACT_PROXY, PERMIT2, permit2Abi, proxyAbi } from './contracts'
import { formRules, permitHash, stateRules, termRules, timelessRules } from './rules'
import { readApproval } from './sponsoring'

const settle = prepareEncodeFunctionData({ abi: proxyAbi, functionName: 'settle' })
const settleWithPermit = prepareEncodeFunctionData({ abi: proxyAbi, functionName: 'settleWithPermit' })
const proxyPermit2 = encodeFunctionData({ abi: proxyAbi, functionName: 'PERMIT2' })
const nonceBitmap = prepareEncodeFunctionData({ abi: permit2Abi, functionName: 'nonceBitmap' })
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf' })
const allowance = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'allowance' })

const SETTLED: ReadonlySet<Hex> = new Set(['Settled()', 'SettledWithPermit()'].map((event) => toEventSelector(event)))

/**
 * A transfer costs about 82,000 gas, 99,000 to a new recipient (docs/benchmarks.md). The token's proxy adds 20,000, the first use of the
 * x402 proxy 22,000. A permit needs 55,000 more, of which a third is refunded at the end.
 */
const GAS = {
  key: { alone: 200_000n, inBatch: 180_000n },
  code: { alone: 330_000n, inBatch: 310_000n },
} as const
const GAS_OF_PERMIT = 80_000n

/** The nonce's bit in the word of its payer. */
const BITS = 256n

/** Transfers by Permit2 and the x402 proxy, for tokens without EIP-3009. */
export const permit2: EvmMethod<Permit2Payment, SignedPermit2> = {
  formRules,
  termRules,
  timelessRules,
  stateRules,
  digest: permitHash,
  reasons: {
    signature: 'invalid_permit2_signature',
    used: 'permit2_invalid_nonce',
    expired: 'permit2_deadline_expired',
    short: 'permit2_insufficient_balance',
  },
  simulationProves: () => true,
  blamesSignature: (_, explained) => !explained,
  // A wallet that is not deployed yet cannot have let Permit2 take its tokens.
  deploys: false,
  transfer: ({ asset, transfer: { authorization, sponsoring } }, { proof, signature }, state) => ({
    method: 'permit2',
    asset,
    authorization,
    signature,
    proof,
    permit: sponsoring?.kind === 'eip2612' ? sponsoring.permit : null,
    approval: sponsoring?.kind === 'approval' && state?.simulation.ok === false ? sponsoring.transaction : null,
  }),
  identity: ({ network, transfer }) => permit2Identity(networkRow(network).chainId, transfer.authorization),
  terms: ({ transfer: { authorization, signature } }) => [
    ...Object.values(authorization).map(String),
    normalSignature(signature),
  ],
  // Permit2 takes it in the second of its deadline, too.
  expiresAt: ({ transfer }) => transfer.authorization.deadline + 1n,
  stateCalls: (transfer) => {
    const { from } = transfer.authorization
    return [
      usedCall(transfer.authorization),
      { to: transfer.asset, data: encodeFunctionData({ ...balanceOf, args: [from] }) },
      { to: transfer.asset, data: encodeFunctionData({ ...allowance, args: [from, PERMIT2] }) },
      { to: EXACT_PROXY, data: proxyPermit2 },
    ]
  },
  readState([bitmap, balance, allowed, proxy], { authorization }) {
    const word = wordOf(bitmap)
    return {
      used: word === null ? null : isUsed(authorization, word),
      balance: wordOf(balance),
      assetHasCode: !isEmpty(balance),
      allowance: wordOf(allowed),
      hasProxy: wordOf(proxy) === BigInt(PERMIT2),
    }
  },
  contract: () => EXACT_PROXY,
  call: (transfer) => ({ to: EXACT_PROXY, data: settleData(transfer) }),
  deployment: () => null,
  // Behind a permit of four words and, if there is one, the five words of the token's permit.
  payerWord: ({ permit }) => (permit ? 9 : 4),
  gas({ proof, permit }) {
    const { alone, inBatch } = GAS[proof === 'key' ? 'key' : 'code']
    const more = permit ? GAS_OF_PERMIT : 0n
    return { alone: alone + more, inBatch: inBatch + more }
  },
  usedCall: ({ authorization }) => usedCall(authorization),
  isUsed: ({ authorization }, word) => isUsed(authorization, word),
  proof: ({ asset, authorization: { from, to, value } }) => proofOf(asset, from, to, value),
  proofsIn: (logs) => endings(logs).filter((proven) => proven !== null),
  strays: (logs, names) => endings(logs).filter((proven) => proven === null || !names.has(proven[0])).length,
  useLogs: ({ asset, authorization: { from, to } }) => ({ address: asset, topics: [TRANSFER, pad(from), pad(to)] }),
  isUse({ asset, authorization }, log) {
    const moved = readTransferLog(log)
    if (moved?.asset !== asset || moved.from !== authorization.from) return false
    return moved.to === authorization.to && moved.value === authorization.value
  },
  mark: ({ authorization: { nonce, deadline } }) => concat([pad(toHex(nonce)), pad(toHex(deadline))]),
  cosigned({ transfer: { sponsoring } }) {
    const signed = sponsoring?.kind === 'approval' ? readApproval(sponsoring.transaction)?.signed : null
    return signed ? { ...signed, reason: 'erc20_approval_tx_signer_mismatch' } : null
  },
  approval({ approval }) {
    const read = approval && readApproval(approval)
    if (!approval || !read?.to) return null
    const { hash, to, data, nonce, gas, maxFeePerGas } = read
    return { raw: approval, hash, to, data, nonce, gas, maxFeePerGas }
  },
  isApproved: ({ authorization }, { allowance }) => allowance !== null && allowance >= authorization.value,
  payload: ({ authorization, signature }) => ({
    signature,
    permit2Authorization: {
      from: displayAddress(authorization.from),
      permitted: { token: displayAddress(authorization.token), amount: String(authorization.value) },
      spender: displayAddress(authorization.spender),
      nonce: String(authorization.nonce),
      deadline: String(authorization.deadline),
      witness: { to: displayAddress(authorization.to), validAfter: String(authorization.validAfter) },
    },
  }),
  stored: z
    .object({
      authorization: z.object({
        from: hexText,
        to: hexText,
        token: hexText,
        spender: hexText,
        value: atomic,
        nonce: atomic,
        deadline: atomic,
        validAfter: atomic,
      }),
      asset: hexText,
      signature: hexText,
      proof: z.enum(['key', 'code']),
      permit: z.object({ value: atomic, deadline: atomic, r: hexText, s: hexText, v: z.number() }).nullable(),
      approval: hexText.nullable(),
    })
    .transform((stored) => ({ method: 'permit2', ...stored })),
  store({ authorization, signature, proof, permit, approval }) {
    const { value, nonce, deadline, validAfter, ...addresses } = authorization
    const digits = { value: String(value), nonce: String(nonce), deadline: String(deadline), validAfter: String(validAfter) }
    return {
      method: 'permit2',
      authorization: { ...addresses, ...digits },
      signature,
      proof,
      approval,
      permit: permit && { ...permit, value: String(permit.value), deadline: String(permit.deadline) },
    }
  },
}

/** The identity of a Permit2 authorization: Permit2 uses a payer's nonce once, for any token. */
export function permit2Identity(chainId: number, { from, nonce }: Pick<Permit2Authorization, 'from' | 'nonce'>): string[] {
  return [String(chainId), PERMIT2, from, String(nonce)]
}

function usedCall({ from, nonce }: Permit2Authorization) {
  return { to: PERMIT2, data: encodeFunctionData({ ...nonceBitmap, args: [from, nonce / BITS] }) } as const
}

const isUsed = ({ nonce }: Permit2Authorization, word: bigint) => ((word >> (nonce % BITS)) & 1n) === 1n

function settleData({ authorization, signature, permit: permit2612 }: SignedPermit2): Hex {
  const { from, to, token, value, nonce, deadline, validAfter } = authorization
  const permit = { permitted: { token, amount: value }, nonce, deadline }
  const witness = { to, validAfter }
  if (!permit2612) return encodeFunctionData({ ...settle, args: [permit, from, witness, signature] })
  return encodeFunctionData({ ...settleWithPermit, args: [permit2612, permit, from, witness, signature] })
}

/**
 * The proxy ends each transfer with its event, which names nothing: the token's last Transfer before it is the one that it made; null
 * without one. So two equal transfers may not share a transaction.
 */
function endings(logs: readonly EventLog[]): (ProvenTransfer | null)[] {
  const made: (ProvenTransfer | null)[] = []
  let last: ProvenTransfer | null = null
  // A batch may hold EIP-3009 transfers too: theirs must not stand for a token that logged none.
  const byEip3009 = eip3009Transfers(logs)
  for (const [at, log] of logs.entries()) {
    const moved = readTransferLog(log)
    if (moved && !byEip3009.has(at)) {
      last = [proofOf(moved.asset, moved.from, moved.to, moved.value), log.logIndex ?? null]
    }
    const [event] = log.topics
    if (log.address !== EXACT_PROXY || !event || !SETTLED.has(event)) continue
    made.push(last)
    last = null
  }
  return made
}

const proofOf = (asset: string, from: string, to: string, value: bigint): string =>
  ['permit2', asset, from, to, String(value)].join().toLowerCase()
