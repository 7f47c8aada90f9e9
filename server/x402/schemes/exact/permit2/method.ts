import { encodeFunctionData, parseAbi, prepareEncodeFunctionData } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../../addresses'
import type { Permit2Payment } from '../../../payment'
import type { EvmMethod } from '../../evm-method'
import { EXACT_PROXY } from '../../permit2/contracts'
import { permitPayload, sending, storedAuthorization, storedSending, throughProxy } from '../../permit2/method'
import type { SignedPermit2 } from '../transfers'
import { formRules, permitHash, stateRules, termRules, timelessRules } from './rules'

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct Permit2612 { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(Permit permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Permit2612 permit2612, Permit permit, address owner, Witness witness, bytes signature)',
])
const settle = prepareEncodeFunctionData({ abi, functionName: 'settle' })
const settleWithPermit = prepareEncodeFunctionData({ abi, functionName: 'settleWithPermit' })

/** Transfers by Permit2 and the x402 proxy, for tokens without EIP-3009. */
export const permit2: EvmMethod<Permit2Payment, SignedPermit2> = {
  ...throughProxy<Permit2Payment, SignedPermit2>({
    address: EXACT_PROXY,
    name: 'permit2',
    failed: 'invalid_exact_evm_transaction_failed',
    data({ authorization, signature, permit: permit2612 }) {
      const { from, to, token, value, nonce, deadline, validAfter } = authorization
      const permit = { permitted: { token, amount: value }, nonce, deadline }
      const witness = { to, validAfter }
      if (!permit2612) return encodeFunctionData({ ...settle, args: [permit, from, witness, signature] })
      return encodeFunctionData({ ...settleWithPermit, args: [permit2612, permit, from, witness, signature] })
    },
    // Behind a permit of four words and, if there is one, the five words of the token's permit.
    payerWord: ({ permit }) => (permit ? 9 : 4),
  }),
  formRules,
  termRules,
  timelessRules,
  stateRules,
  digest: permitHash,
  transfer: (payment, proven, state) => ({
    method: 'permit2',
    authorization: payment.transfer.authorization,
    ...sending(payment, proven, state),
  }),
  sender: () => null,
  payload: ({ authorization, signature }) => ({
    signature,
    permit2Authorization: {
      ...permitPayload(authorization, authorization.value),
      witness: { to: displayAddress(authorization.to), validAfter: String(authorization.validAfter) },
    },
  }),
  stored: z
    .object({ authorization: z.object(storedAuthorization), ...storedSending })
    .transform((stored) => ({ method: 'permit2', ...stored })),
}
