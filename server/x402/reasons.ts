/**
 * Why a judged payment failed: the exact words of the official facilitator, so that every x402 client understands them.
 * The text is what a person reads beside the word.
 */
export const reasons = {
  unsupported_scheme: 'This payment scheme is not supported here; use the scheme "exact".',
  unsupported_payload_type: 'Permit2 payments are not supported yet; sign an EIP-3009 transferWithAuthorization.',
  invalid_exact_evm_scheme: 'The payment and its requirements must both use the scheme "exact".',
  invalid_exact_evm_missing_eip712_domain: 'paymentRequirements.extra must carry the token\'s EIP-712 "name" and "version".',
  invalid_exact_evm_network_mismatch: 'The payment was made for another network than the requirements ask for.',
  invalid_exact_evm_signature: 'The signature is not a valid signature of this authorization by its "from" wallet.',
  eip6492_factory_not_allowed: 'The wallet is not deployed and its factory is not allowed here; deploy the wallet first.',
  invalid_exact_evm_recipient_mismatch: 'The authorization pays another address than payTo.',
  invalid_exact_evm_payload_authorization_valid_before:
    'The authorization has expired or expires in less than 6 seconds; sign a new one.',
  invalid_exact_evm_payload_authorization_valid_after: 'The authorization is not valid yet.',
  invalid_exact_evm_payload_authorization_value_mismatch: 'The authorized value differs from the required amount.',
  invalid_exact_evm_authorization_value: 'The authorized value differs from the required amount.',
  asset_not_deployed_contract: 'There is no contract at the asset address on this network.',
  invalid_exact_evm_eip3009_not_supported: 'The asset does not support EIP-3009 authorizations.',
  invalid_exact_evm_nonce_already_used: 'This authorization was already used or cancelled on chain; sign a new one.',
  invalid_exact_evm_token_name_mismatch: "extra.name is not the name in the token's EIP-712 domain.",
  invalid_exact_evm_token_version_mismatch: "extra.version is not the version in the token's EIP-712 domain.",
  invalid_exact_evm_insufficient_balance: "The payer's balance is lower than the amount.",
  invalid_exact_evm_transaction_simulation_failed: 'The transfer would fail on chain.',
  invalid_exact_evm_transaction_failed: 'The transfer was sent and reverted on chain.',
  invalid_exact_evm_transfer_event_mismatch: 'The transaction was mined but its logs do not show the transfer.',
  authorization_used_elsewhere: 'The authorization was used on chain by a transaction that is not ours.',
  settlement_pending:
    'The transfer may have been sent and its outcome is not known yet; repeat the identical request to wait for it.',
  settlement_reversed: 'The transfer landed and was undone by a reorganisation of the chain.',
  duplicate_settlement: 'This payment was already submitted.',
  invalid_exact_svm_transaction_simulation_failed: 'The transfer would fail on chain.',
  transaction_simulation_failed: 'The transfer would fail on chain.',
} as const satisfies Record<string, string>

export type Reason = keyof typeof reasons

/** A failed judgement: the wire reason and its text, and SPEC's word for the history where it has one that the reason does not tell. */
export type Failure = { reason: Reason; message: string; recorded?: 'insufficient_funds' }

/** The failure for a reason, with its standard text unless a better one is known. */
export function failure(reason: Reason, message: string = reasons[reason]): Failure {
  return { reason, message }
}

/** `error_reason` of a history entry: SPEC's words where it has them, the wire reason elsewhere. */
export function historyReason(reason: string): string {
  if (reason.endsWith('_insufficient_balance')) return 'insufficient_funds'
  return Object.hasOwn(reasons, reason) ? reason : 'unknown'
}
