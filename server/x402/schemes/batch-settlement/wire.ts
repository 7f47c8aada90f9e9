import { z } from 'zod'
import { atomic } from '../../atomic'
import { evmAddress, wirePermit2 } from '../exact/wire'
import { UINT128_MAX } from './channel'

/** An amount of a channel. */
const amount = atomic.refine((value) => value <= UINT128_MAX, 'must be at most 2^128 - 1')
const bytes32 = z.string('must be a string').regex(/^0x[0-9a-fA-F]{64}$/, 'must be 32 bytes: 0x and 64 hex digits')
const signature = wirePermit2.shape.signature
/** Compared as it is written: any other text names another channel. */
const channelId = z.string('must be a string').max(128, 'must be at most 128 characters')

export const wireChannel = z.object(
  {
    payer: evmAddress,
    payerAuthorizer: evmAddress,
    receiver: evmAddress,
    receiverAuthorizer: evmAddress,
    token: evmAddress,
    withdrawDelay: z
      .number('must be a number')
      .int('must be whole seconds')
      .nonnegative('must not be negative')
      .max(2 ** 40 - 1, 'must be at most 2^40 - 1'),
    salt: bytes32,
  },
  'must be an object: the channel as its payer chose it',
)

const wireVoucher = z.object(
  { channelId, maxClaimableAmount: amount, signature },
  'must be an object with channelId, maxClaimableAmount and signature',
)

/** How a payer lets a collector take its deposit by EIP-3009. `salt` is a number of at most 32 bytes, in hex. */
export const wireErc3009 = z.object(
  { validAfter: atomic, validBefore: atomic, salt: bytes32, signature },
  'must be an object with validAfter, validBefore, salt and signature',
)

/** The same by Permit2. */
export const wireDepositPermit2 = z.object(
  {
    from: evmAddress,
    permitted: z.object({ token: evmAddress, amount: atomic }, 'must be an object with token and amount'),
    spender: evmAddress,
    nonce: atomic,
    deadline: atomic,
    witness: z.object({ channelId: bytes32 }, 'must be an object with channelId'),
    signature,
  },
  'must be an object with from, permitted, spender, nonce, deadline, witness and signature',
)

/** A voucher with its channel: of the payloads `deposit`, `voucher` and `refund`. */
export const wireVouched = z.object({ channelConfig: wireChannel, voucher: wireVoucher })

/** The deposit of a payload `deposit`. */
export const wireDeposit = z.object({
  amount,
  authorization: z.object({ erc3009Authorization: wireErc3009.nullish(), permit2Authorization: wireDepositPermit2.nullish() }),
})

const wireClaim = z.object({
  voucher: z.object(
    { channel: wireChannel, maxClaimableAmount: amount },
    'must be an object with channel and maxClaimableAmount',
  ),
  signature,
  totalClaimed: amount,
})

/** The most rows of one request: they always fit in one transaction. */
const CLAIMS_MAX = 100

const claims = z.array(wireClaim, 'must be a list of claims').max(CLAIMS_MAX, `must have at most ${CLAIMS_MAX} rows`)

/** What a payer adds to a refund that it asks for. */
export const wireAskedRefund = z.object({ amount: amount.nullish() })

/** What a merchant's server adds to a refund that it lets through. */
export const wireRefund = z.object({
  amount,
  refundNonce: atomic,
  claims,
  refundAuthorizerSignature: signature.nullish(),
  claimAuthorizerSignature: signature.nullish(),
})

/** The payload `claim`. */
export const wireClaims = z.object({ claims, claimAuthorizerSignature: signature.nullish() })

/** The payload `settle`. */
export const wireSettle = z.object({ receiver: evmAddress, token: evmAddress })
