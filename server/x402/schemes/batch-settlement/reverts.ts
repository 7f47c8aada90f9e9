import { toFunctionSelector } from 'viem'

/** The errors of the contract of channels, by selector. */
const names: ReadonlyMap<string, string> = new Map(
  [
    'InvalidChannel()',
    'ZeroDeposit()',
    'DepositOverflow()',
    'InvalidSignature()',
    'NotReceiverAuthorizer()',
    'NotAuthorizedToClaim()',
    'NotAuthorizedToRefund()',
    'ClaimExceedsCeiling()',
    'ClaimExceedsBalance()',
    'WithdrawDelayOutOfRange()',
    'EmptyBatch()',
    'DepositCollectionFailed()',
    'InvalidCollector()',
    'InvalidRefundNonce()',
    'ZeroRefund()',
    'ECDSAInvalidSignature()',
    'ECDSAInvalidSignatureS(bytes32)',
    'ECDSAInvalidSignatureLength(uint256)',
    'SafeERC20FailedOperation(address)',
  ].map((error) => [toFunctionSelector(error), error.slice(0, error.indexOf('('))]),
)

/** The name of the error in what a call reverted with; `a revert` for one without a name of the contract. */
export function revertNameOf(data: unknown): string {
  return (typeof data === 'string' ? names.get(data.slice(0, 10).toLowerCase()) : undefined) ?? 'a revert'
}

/** The selectors with their names, for messages about simulated deposits. */
export const channelErrors: ReadonlyMap<string, string> = names
