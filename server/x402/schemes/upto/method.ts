import { encodeFunctionData, parseAbi, prepareEncodeFunctionData } from 'viem'
import { z } from 'zod'
import { displayAddress } from '../../addresses'
import { atomic } from '../../atomic'
import type { UptoPayment } from '../../payment'
import type { EvmMethod } from '../evm-method'
import { hexText } from '../evm-stored'
import { UPTO_PROXY } from '../permit2/contracts'
import { permitPayload, sending, storedAuthorization, storedSending, throughProxy } from '../permit2/method'
import { formRules, movedBy, permitHash, stateRules, termRules, timelessRules } from './rules'
import type { SignedUpto } from './transfers'

const abi = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct Permit { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct Witness { address to; address facilitator; uint256 validAfter; }',
  'struct Permit2612 { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(Permit2612 permit2612, Permit permit, uint256 amount, address owner, Witness witness, bytes signature)',
])
const settle = prepareEncodeFunctionData({ abi, functionName: 'settle' })
const settleWithPermit = prepareEncodeFunctionData({ abi, functionName: 'settleWithPermit' })

/** Transfers of a part of what the payer signed, by Permit2 and the x402 proxy, sent by the facilitator that the payer named. */
export const upto: EvmMethod<UptoPayment, SignedUpto> = {
  ...throughProxy<UptoPayment, SignedUpto>({
    address: UPTO_PROXY,
    name: 'upto',
    failed: 'invalid_upto_evm_transaction_failed',
    data({ authorization, signature, permit: permit2612 }) {
      const { from, to, token, facilitator, value, maximum, nonce, deadline, validAfter } = authorization
      const permit = { permitted: { token, amount: maximum }, nonce, deadline }
      const witness = { to, facilitator, validAfter }
      if (!permit2612) return encodeFunctionData({ ...settle, args: [permit, value, from, witness, signature] })
      return encodeFunctionData({ ...settleWithPermit, args: [permit2612, permit, value, from, witness, signature] })
    },
    // Behind a permit of four words, the charge and, if there is one, the five words of the token's permit.
    payerWord: ({ permit }) => (permit ? 10 : 5),
  }),
  formRules,
  termRules,
  timelessRules,
  stateRules,
  digest: permitHash,
  transfer: (payment, proven, state) => {
    const { authorization } = payment.transfer
    return {
      method: 'upto',
      authorization: { ...authorization, value: movedBy(payment), maximum: authorization.value },
      ...sending(payment, proven, state),
    }
  },
  sender: ({ authorization }) => authorization.facilitator,
  payload: ({ authorization, signature }) => ({
    signature,
    permit2Authorization: {
      ...permitPayload(authorization, authorization.maximum),
      witness: {
        to: displayAddress(authorization.to),
        facilitator: displayAddress(authorization.facilitator),
        validAfter: String(authorization.validAfter),
      },
    },
  }),
  stored: z
    .object({ authorization: z.object({ ...storedAuthorization, facilitator: hexText, maximum: atomic }), ...storedSending })
    .transform((stored) => ({ method: 'upto', ...stored })),
}
