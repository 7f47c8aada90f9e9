import { encodeFunctionData, type Hex, pad, parseAbi, prepareEncodeFunctionData, serializeErc6492Signature, size } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../../addresses'
import { atomic } from '../../../atomic'
import { networkRow } from '../../../networks/networks'
import type { Eip3009Payment } from '../../../payment'
import { normalSignature, readEcdsa } from '../../../signatures'
import {
  AUTHORIZATION_USED,
  addressIn,
  CANCELED,
  eip3009Transfers,
  erc20Abi,
  isEmpty,
  readTransferLog,
  wordOf,
} from '../../evm-logs'
import type { Call, CallResult, EventLog, EvmMethod, Gas, ProvenTransfer } from '../../evm-method'
import type { Proven } from '../../evm-signed'
import { digits, hexText } from '../../evm-stored'
import type { Authorization, SignedEip3009 } from '../transfers'
import { authorizationHash, formRules, namesOwnDomain, stateRules, termRules, timelessRules } from './rules'

// Prepared once: a lookup by name hashes all signatures.
const byParts = prepareEncodeFunctionData({
  abi: parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  ]),
})
const byBytes = prepareEncodeFunctionData({
  abi: parseAbi([
    'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  ]),
})
const authorizationState = prepareEncodeFunctionData({
  abi: parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)']),
})
const balanceOf = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf' })

/** A transfer costs about 86,000 gas, 103,000 to a new recipient; without its own transaction about 61,000 and 78,000. */
const GAS = {
  key: { alone: 120_000n, inBatch: 100_000n },
  code: { alone: 250_000n, inBatch: 230_000n },
} as const

/** The most gas of a wallet's deployment: those of well-known factories take 150,000 to 350,000. */
const GAS_OF_DEPLOYMENT = 500_000n
/** The program around a deployment and its transfer, and the bytes of the transfer. */
const GAS_OF_PROGRAM = 90_000n
const GAS_OF_BYTE = 17n

/**
 * What every method by EIP-3009 does alike: what is read of a token, how a use of an authorization is found, and the wallet that is deployed
 * before it.
 */
export const byEip3009 = {
  blamesSignature: (message: string) => /invalid signature/i.test(message),
  deploys: true,
  stateCalls: ({ asset, authorization }: Used): Call[] => [
    authorizationUsed(asset, authorization),
    { to: asset, data: encodeFunctionData({ ...balanceOf, args: [authorization.from] }) },
  ],
  readState([used, balance]: readonly (CallResult | undefined)[]) {
    const word = wordOf(used)
    const isUsed = word === null ? null : word === 1n
    return { used: isUsed, balance: wordOf(balance), assetHasCode: !isEmpty(balance), allowance: null, hasProxy: true }
  },
  sender: () => null,
  deployment: ({ deployment }: Pick<Proven, 'deployment'>) =>
    deployment ? { to: deployment.factory, data: deployment.data, gas: GAS_OF_DEPLOYMENT } : null,
  payerWord: () => 0,
  usedCall: ({ asset, authorization }: Used) => authorizationUsed(asset, authorization),
  shares: true,
  isUsed: (_: Used, result: Hex) => BigInt(result) !== 0n,
  // The token's own logs are all there is: a receipt without them may be a node's fault.
  strays: () => 0,
  useLogs: ({ asset, authorization: { from, nonce } }: Used) => ({
    address: asset,
    topics: [[AUTHORIZATION_USED, CANCELED], pad(from), nonce],
  }),
  isUse({ asset, authorization }: Used, { address, topics: [event, authorizer, nonce] }: EventLog): boolean {
    if (address !== asset || (event !== AUTHORIZATION_USED && event !== CANCELED) || !authorizer) return false
    return addressIn(authorizer) === authorization.from && nonce === authorization.nonce
  },
  mark: () => null,
  approval: () => null,
  isApproved: () => true,
}

type Used = { asset: Hex; authorization: Pick<Authorization, 'from' | 'nonce'> }

/** The gas of a method by EIP-3009, with that of a wallet's deployment. `own`: without one, of a key's signature and of code's. */
export const gasWithDeployment =
  (own: Record<'key' | 'code', Gas>) =>
  ({ proof, deployment, signature }: Proven): Gas => {
    if (!deployment) return own[proof === 'key' ? 'key' : 'code']
    const bytes = BigInt(size(deployment.data) + size(signature)) * GAS_OF_BYTE
    return { alone: GAS_OF_DEPLOYMENT + own.code.inBatch + GAS_OF_PROGRAM + bytes, inBatch: own.code.inBatch }
  }

/** What the ledger stores of each authorization, and beside it. */
export const storedEip3009Authorization = {
  from: hexText,
  to: hexText,
  value: atomic,
  validAfter: atomic,
  validBefore: atomic,
  nonce: hexText,
}
export const storedEip3009Sending = {
  asset: hexText,
  signature: hexText,
  proof: z.enum(['key', 'code', 'factory']),
  // Earlier versions stored neither, and sent the bytes overload for all code.
  byKey: z.boolean().optional(),
  deployment: z.object({ factory: hexText, data: hexText }).optional(),
}

/** Transfers by the token's own `transferWithAuthorization` (EIP-3009), as USDC and EURC have it. */
export const eip3009: EvmMethod<Eip3009Payment, SignedEip3009> = {
  formRules,
  termRules,
  timelessRules,
  stateRules,
  digest: authorizationHash,
  reasons: {
    signature: 'invalid_exact_evm_signature',
    used: 'invalid_exact_evm_nonce_already_used',
    expired: 'invalid_exact_evm_payload_authorization_valid_before',
    short: 'invalid_exact_evm_insufficient_balance',
    failed: 'invalid_exact_evm_transaction_failed',
    factory: 'eip6492_factory_not_allowed',
  },
  // The token checks the signature under its own domain.
  simulationProves: namesOwnDomain,
  simulationSuffices: true,
  transfer: ({ asset, transfer: { authorization } }, proven) => ({ method: 'eip3009', asset, authorization, ...proven }),
  identity: ({ network, asset, transfer: { authorization } }) => identityOf(networkRow(network).chainId, asset, authorization),
  terms: ({ transfer: { authorization, signature } }) => [
    ...Object.values(authorization).map(String),
    normalSignature(signature),
  ],
  expiresAt: ({ transfer }) => transfer.authorization.validBefore,
  contract: ({ asset }) => asset,
  ...byEip3009,
  gas: gasWithDeployment(GAS),
  call: (transfer) => ({ to: transfer.asset, data: transferData(transfer) }),
  proof: ({ asset, authorization: { from, nonce, to, value } }) => proofOf(asset, from, nonce, to, value),
  proofsIn: (logs) => [...eip3009Transfers(logs)].flatMap(([moved, used]) => provenBy(logs[used], logs[moved])),
  cosigned: () => [],
  payload({ authorization: { from, to, nonce, ...times }, signature: inner, deployment }) {
    const signature = deployment
      ? serializeErc6492Signature({ address: deployment.factory, data: deployment.data, signature: inner })
      : inner
    return { signature, authorization: { from: displayAddress(from), to: displayAddress(to), ...digits(times), nonce } }
  },
  stored: z
    .object({ authorization: z.object(storedEip3009Authorization), ...storedEip3009Sending })
    .transform((stored) => ({ method: 'eip3009', ...stored })),
  store: ({ authorization, signature, proof, byKey, deployment }) => ({
    authorization: digits(authorization),
    signature,
    proof,
    byKey,
    ...(deployment ? { deployment } : {}),
  }),
}

/** The identity of an authorization of a token. */
export function identityOf(chainId: number, asset: string, { from, nonce }: Pick<Authorization, 'from' | 'nonce'>): string[] {
  return [String(chainId), asset, from, nonce]
}

/** The call that says whether an authorization of a token is used or cancelled. */
export function authorizationUsed(asset: Hex, { from, nonce }: Pick<Authorization, 'from' | 'nonce'>): Call {
  return { to: asset, data: encodeFunctionData({ ...authorizationState, args: [from, nonce] }) }
}

// v, r, s for a key, even where its account has code (EIP-7702): some tokens ask only the key. The bytes overload for wallets.
function transferData({ authorization, signature, proof, byKey = proof === 'key' }: SignedEip3009): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const ecdsa = readEcdsa(signature)
  if (byKey && ecdsa) {
    const { v, r, s } = ecdsa
    return encodeFunctionData({ ...byParts, args: [from, to, value, validAfter, validBefore, nonce, v, r, s] })
  }
  return encodeFunctionData({ ...byBytes, args: [from, to, value, validAfter, validBefore, nonce, signature] })
}

// From the asset itself: AuthorizationUsed(from, nonce), then Transfer(from, to, value). A token that does nothing proves nothing.
function provenBy(used: EventLog | undefined, moved: EventLog | undefined): ProvenTransfer[] {
  const transfer = moved && readTransferLog(moved)
  const nonce = used?.topics[2]
  if (!transfer || !nonce) return []
  return [[proofOf(transfer.asset, transfer.from, nonce, transfer.to, transfer.value), moved.logIndex ?? null]]
}

function proofOf(asset: string, from: string, nonce: string, to: string, value: bigint): string {
  return [asset, from, nonce, to].join().toLowerCase().concat(`,${value}`)
}
