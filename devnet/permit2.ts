import { randomBytes } from 'node:crypto'
import { type Address, type Hex, type LocalAccount, parseAbi } from 'viem'
import { exactProxyAddress, permit2Address } from './networks'

/** What a payer signs for a payment by Permit2. */
export type Permit2Message = {
  permitted: { token: Address; amount: bigint }
  spender: Address
  nonce: bigint
  deadline: bigint
  witness: { to: Address; validAfter: bigint }
}

/** What a payer signs so that Permit2 may take its tokens (EIP-2612). */
export type PermitMessage = { owner: Address; spender: Address; value: bigint; nonce: bigint; deadline: bigint }

const field = (name: string, type: string) => ({ name, type })

const permit2Types = {
  PermitWitnessTransferFrom: [
    field('permitted', 'TokenPermissions'),
    field('spender', 'address'),
    field('nonce', 'uint256'),
    field('deadline', 'uint256'),
    field('witness', 'Witness'),
  ],
  TokenPermissions: [field('token', 'address'), field('amount', 'uint256')],
  Witness: [field('to', 'address'), field('validAfter', 'uint256')],
}
const permitTypes = {
  Permit: ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'].map((text) => {
    const [name = '', type = ''] = text.split(' ')
    return field(name, type)
  }),
}

/** The proxy's functions, and the errors of it and of Permit2, as their sources have them. */
export const exactProxyAbi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct EIP2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function PERMIT2() view returns (address)',
  'function WITNESS_TYPEHASH() view returns (bytes32)',
  'function WITNESS_TYPE_STRING() view returns (string)',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'event Settled()',
  'event SettledWithPermit()',
  'error InvalidAmount()',
  'error InvalidDestination()',
  'error InvalidOwner()',
  'error PaymentTooEarly()',
  'error Permit2612AmountMismatch()',
  'error ReentrancyGuardReentrantCall()',
  'error InvalidAmount(uint256 maxAmount)',
  'error InvalidNonce()',
  'error SignatureExpired(uint256 signatureDeadline)',
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
])

/** A payment of one token of 6 decimals that is valid now and for an hour, with a fresh nonce; every field can be overridden. */
export function permit2Message(
  token: Address,
  to: Address,
  { amount = 1_000_000n, validAfter = 0n, ...change }: Partial<Permit2Message> & { amount?: bigint; validAfter?: bigint } = {},
): Permit2Message {
  return {
    permitted: { token, amount },
    spender: exactProxyAddress,
    nonce: BigInt(`0x${randomBytes(32).toString('hex')}`),
    deadline: inAnHour(),
    witness: { to, validAfter },
    ...change,
  }
}

/** Signs a payment for Permit2 on that chain. */
export function signPermit2(chainId: number, payer: LocalAccount, message: Permit2Message): Promise<Hex> {
  const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address }
  return payer.signTypedData({ domain, types: permit2Types, primaryType: 'PermitWitnessTransferFrom', message })
}

/** Signs an approval of Permit2 (EIP-2612), with the token's first nonce if no other is given. */
export async function signPermit(
  domain: { name: string; version: string; chainId: number; verifyingContract: Address },
  owner: LocalAccount,
  change: Partial<PermitMessage> = {},
): Promise<PermitMessage & { signature: Hex }> {
  const message = { owner: owner.address, spender: permit2Address, value: 1_000_000n, nonce: 0n, deadline: inAnHour(), ...change }
  return { ...message, signature: await owner.signTypedData({ domain, types: permitTypes, primaryType: 'Permit', message }) }
}

const inAnHour = (): bigint => BigInt(Math.floor(Date.now() / 1_000)) + 3_600n
