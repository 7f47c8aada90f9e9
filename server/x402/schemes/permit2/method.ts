import { concat, encodeFunctionData, type Hex, pad, prepareEncodeFunctionData, toEventSelector, toHex } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../addresses'
import { atomic } from '../../atomic'
import { networkRow } from '../../networks/networks'
import type { AnyPermit2Payment } from '../../payment'
import type { Reason } from '../../reasons/reasons'
import { normalSignature } from '../../signatures'
import { eip3009Transfers, erc20Abi, isEmpty, readTransferLog, TRANSFER, wordOf, x402Contracts } from '../evm-logs'
import type { Approval, Call, Cosigned, EventLog, EvmMethod, Gas, ProvenTransfer, State } from '../evm-method'
import type { Proven } from '../evm-signed'
import { digits, hexText } from '../evm-stored'
import type { SignedPermit2 } from '../exact/transfers'
import type { SignedUpto } from '../upto/transfers'
import { EXACT_PROXY, PERMIT2, permit2Abi, proxyAbi, UPTO_PROXY } from './contracts'
import { readApproval } from './sponsoring'
import type { Permit2Authorization } from './transfers'

const proxyPermit2 = encodeFunctionData({ abi: proxyAbi, functionName: 'PERMIT2' })
const nonceBitmap = prepareEncodeFunctionData({ abi: permit2Abi, functionName: 'nonceBitmap' })
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf' })
const allowance = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'allowance' })

const PROXIES: ReadonlySet<Hex> = new Set([EXACT_PROXY, UPTO_PROXY])
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

/** A proxy: its address, the name of its transfers among those of a receipt, and the call that makes one. */
type Proxy<T> = {
  address: Hex
  name: string
  /** The reason of a transaction that failed. */
  failed: Reason
  data(transfer: T): Hex
  /** The number of the argument that names the payer. */
  payerWord(transfer: T): number
}

/** What each method does in its own way. */
type Own = 'formRules' | 'termRules' | 'timelessRules' | 'stateRules' | 'digest' | 'transfer' | 'sender' | 'payload' | 'stored'

/** The parts of a method that are alike for every proxy of x402. A transfer's `authorization.value` is what it moves. */
export function throughProxy<P extends AnyPermit2Payment, T extends SignedPermit2 | SignedUpto>(
  proxy: Proxy<T>,
): Omit<EvmMethod<P, T>, Own> {
  const proofOf = (asset: string, from: string, to: string, value: bigint): string =>
    [proxy.name, asset, from, to, String(value)].join().toLowerCase()

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
      if (!x402Contracts.has(log.address)) continue
      const [event] = log.topics
      if (PROXIES.has(log.address) && (!event || !SETTLED.has(event))) continue
      if (log.address === proxy.address) made.push(last)
      last = null
    }
    return made
  }

  return {
    reasons: {
      signature: 'invalid_permit2_signature',
      used: 'permit2_invalid_nonce',
      expired: 'permit2_deadline_expired',
      short: 'permit2_insufficient_balance',
      failed: proxy.failed,
      factory: 'eip6492_factory_not_allowed',
    },
    simulationProves: () => true,
    blamesSignature: (_, explained) => !explained,
    // A wallet that is not deployed yet cannot have let Permit2 take its tokens.
    deploys: false,
    simulationSuffices: true,
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
        permitUsed(transfer.authorization),
        { to: transfer.asset, data: encodeFunctionData({ ...balanceOf, args: [from] }) },
        { to: transfer.asset, data: encodeFunctionData({ ...allowance, args: [from, PERMIT2] }) },
        { to: proxy.address, data: proxyPermit2 },
      ]
    },
    readState([bitmap, balance, allowed, permit2], { authorization }) {
      const word = wordOf(bitmap)
      return {
        used: word === null ? null : isPermitUsed(authorization, word),
        balance: wordOf(balance),
        assetHasCode: !isEmpty(balance),
        allowance: wordOf(allowed),
        hasProxy: wordOf(permit2) === BigInt(PERMIT2),
      }
    },
    contract: () => proxy.address,
    call: (transfer) => ({ to: proxy.address, data: proxy.data(transfer) }),
    payerWord: proxy.payerWord,
    proof: ({ asset, authorization: { from, to, value } }) => proofOf(asset, from, to, value),
    proofsIn: (logs) => endings(logs).filter((proven) => proven !== null),
    strays: (logs, names) => endings(logs).filter((proven) => proven === null || !names.has(proven[0])).length,
    ...byPermit2,
    gas: gasWithPermit(GAS),
    store({ method, authorization, signature, proof, permit, approval }) {
      return {
        method,
        authorization: digits(authorization),
        signature,
        proof,
        approval,
        permit: permit && digits(permit),
      }
    },
  }
}

/** What every method by Permit2 does alike: how a use of an authorization is found, and how a payer lets Permit2 take its tokens. */
export const byPermit2 = {
  deployment: () => null,
  shares: true,
  usedCall: ({ authorization }: Used) => permitUsed(authorization),
  isUsed: ({ authorization }: Used, result: Hex) => isPermitUsed(authorization, BigInt(result)),
  useLogs: ({ asset, authorization: { from, to } }: Used) => ({ address: asset, topics: [TRANSFER, pad(from), pad(to)] }),
  isUse({ asset, authorization }: Used, log: EventLog): boolean {
    const moved = readTransferLog(log)
    if (moved?.asset !== asset || moved.from !== authorization.from) return false
    return moved.to === authorization.to && moved.value === authorization.value
  },
  mark: ({ authorization: { nonce, deadline } }: Used) => concat([pad(toHex(nonce)), pad(toHex(deadline))]),
  cosigned({ transfer: { sponsoring, authorization } }: AnyPermit2Payment): Cosigned[] {
    const signed = sponsoring?.kind === 'approval' ? readApproval(sponsoring.transaction)?.signed : null
    return signed ? [{ ...signed, by: authorization.from, wallet: null, reason: 'erc20_approval_tx_signer_mismatch' }] : []
  },
  approval({ approval }: Pick<SignedPermit2, 'approval'>): Approval | null {
    const read = approval && readApproval(approval)
    if (!approval || !read?.to) return null
    const { hash, to, data, nonce, gas, maxFeePerGas } = read
    return { raw: approval, hash, to, data, nonce, gas, maxFeePerGas }
  },
  isApproved: ({ authorization }: { authorization: { value: bigint } }, { allowance }: Pick<State, 'allowance'>): boolean =>
    allowance !== null && allowance >= authorization.value,
}

type Used = { asset: Hex; authorization: Permit2Authorization }

/** The gas of a method by Permit2, with that of a permit. `own`: without one, of a key's signature and of code's. */
export const gasWithPermit =
  (own: Record<'key' | 'code', Gas>) =>
  ({ proof, permit }: Pick<SignedPermit2, 'proof' | 'permit'>): Gas => {
    const { alone, inBatch } = own[proof === 'key' ? 'key' : 'code']
    const more = permit ? GAS_OF_PERMIT : 0n
    return { alone: alone + more, inBatch: inBatch + more }
  }

/** How a payer's transfer is sent: its signature, and what lets Permit2 take the tokens. */
export function sending(
  { asset, transfer: { sponsoring } }: AnyPermit2Payment,
  { proof, signature }: Proven,
  state: State | undefined,
): Pick<SignedPermit2, 'asset' | 'signature' | 'proof' | 'permit' | 'approval'> {
  return {
    asset,
    signature,
    proof,
    permit: sponsoring?.kind === 'eip2612' ? sponsoring.permit : null,
    approval: sponsoring?.kind === 'approval' && state?.simulation.ok === false ? sponsoring.transaction : null,
  }
}

/** The authorization in the payload of official clients, over an amount, without its witness. */
export const permitPayload = ({ from, token, spender, nonce, deadline }: Permit2Authorization, amount: bigint) => ({
  from: displayAddress(from),
  permitted: { token: displayAddress(token), amount: String(amount) },
  spender: displayAddress(spender),
  nonce: String(nonce),
  deadline: String(deadline),
})

/** What the ledger stores of each authorization, and beside it. */
export const storedAuthorization = {
  from: hexText,
  to: hexText,
  token: hexText,
  spender: hexText,
  value: atomic,
  nonce: atomic,
  deadline: atomic,
  validAfter: atomic,
}
export const storedSending = {
  asset: hexText,
  signature: hexText,
  proof: z.enum(['key', 'code']),
  permit: z.object({ value: atomic, deadline: atomic, r: hexText, s: hexText, v: z.number() }).nullable(),
  approval: hexText.nullable(),
}

/** The identity of a Permit2 authorization: Permit2 uses a payer's nonce once, for any token. */
export function permit2Identity(chainId: number, { from, nonce }: Pick<Permit2Authorization, 'from' | 'nonce'>): string[] {
  return [String(chainId), PERMIT2, from, String(nonce)]
}

/** The call that reads the word of a nonce. */
export function permitUsed({ from, nonce }: Pick<Permit2Authorization, 'from' | 'nonce'>): Call {
  return { to: PERMIT2, data: encodeFunctionData({ ...nonceBitmap, args: [from, nonce / BITS] }) }
}

/** Whether the nonce's bit is set in this word. */
export const isPermitUsed = ({ nonce }: Pick<Permit2Authorization, 'nonce'>, word: bigint): boolean =>
  ((word >> (nonce % BITS)) & 1n) === 1n
