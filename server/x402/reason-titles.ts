import type { HISTORY_CODES, Reason } from './reasons'

/** A short title for each code of a history row. Codes with the same title mean the same on different networks or versions. */
export const reasonTitles = {
  insufficient_funds: 'Insufficient funds',
  unknown: 'Unknown',
  unsupported_scheme: 'Unsupported scheme',
  unsupported_payload_type: 'Unsupported payload',
  invalid_exact_evm_scheme: 'Unsupported scheme',
  invalid_exact_evm_missing_eip712_domain: 'Token domain missing',
  invalid_exact_evm_network_mismatch: 'Network mismatch',
  invalid_exact_evm_signature: 'Invalid signature',
  eip6492_factory_not_allowed: 'Wallet not deployed',
  invalid_exact_evm_recipient_mismatch: 'Recipient mismatch',
  invalid_exact_evm_payload_authorization_valid_before: 'Authorization expired',
  invalid_exact_evm_payload_authorization_valid_after: 'Authorization not valid yet',
  invalid_exact_evm_payload_authorization_value_mismatch: 'Amount mismatch',
  invalid_exact_evm_authorization_value: 'Amount mismatch',
  asset_not_deployed_contract: 'Asset not found',
  invalid_exact_evm_eip3009_not_supported: 'Asset without EIP-3009',
  invalid_exact_evm_nonce_already_used: 'Authorization already used',
  invalid_exact_evm_token_name_mismatch: 'Token name mismatch',
  invalid_exact_evm_token_version_mismatch: 'Token version mismatch',
  invalid_exact_evm_insufficient_balance: 'Insufficient funds',
  invalid_exact_evm_transaction_simulation_failed: 'Simulation failed',
  invalid_exact_evm_transaction_failed: 'Transaction reverted',
  invalid_exact_evm_transfer_event_mismatch: 'Transfer not in the logs',
  invalid_exact_svm_unsupported_scheme: 'Unsupported scheme',
  invalid_exact_svm_network_mismatch: 'Network mismatch',
  network_mismatch: 'Network mismatch',
  invalid_exact_svm_payload_missing_fee_payer: 'Fee payer missing',
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: 'Unknown fee payer',
  fee_payer_not_managed_by_facilitator: 'Unknown fee payer',
  invalid_exact_svm_payload_transaction_could_not_be_decoded: 'Transaction unreadable',
  invalid_exact_svm_payload_excessive_signers: 'Too many signers',
  invalid_exact_svm_fee_payer_mismatch: 'Fee payer mismatch',
  invalid_exact_svm_payload_signature_invalid: 'Invalid signature',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available: 'Lookup tables not supported',
  invalid_exact_svm_payload_transaction_instructions_length: 'Wrong number of instructions',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction: 'Compute limit missing',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high: 'Compute limit too high',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction: 'Compute price missing',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high: 'Compute price too high',
  invalid_exact_svm_payload_no_transfer_instruction: 'Transfer missing',
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds: 'Fee payer would pay',
  invalid_exact_svm_payload_mint_mismatch: 'Asset mismatch',
  invalid_exact_svm_payload_recipient_mismatch: 'Recipient mismatch',
  invalid_exact_svm_payload_amount_mismatch: 'Amount mismatch',
  invalid_exact_svm_payload_unknown_fourth_instruction: 'Unknown instruction',
  invalid_exact_svm_payload_unknown_fifth_instruction: 'Unknown instruction',
  invalid_exact_svm_payload_unknown_sixth_instruction: 'Unknown instruction',
  invalid_exact_svm_payload_unknown_seventh_instruction: 'Unknown instruction',
  invalid_exact_svm_payload_memo_count: 'Memo missing',
  invalid_exact_svm_payload_memo_mismatch: 'Memo mismatch',
  invalid_exact_svm_transaction_simulation_failed: 'Simulation failed',
  transaction_simulation_failed: 'Simulation failed',
  invalid_exact_svm_transaction_failed: 'Transaction reverted',
  transaction_failed: 'Transaction reverted',
  authorization_used_elsewhere: 'Authorization used elsewhere',
  settle_exact_svm_block_height_exceeded: 'Transaction expired',
  settlement_pending: 'Outcome pending',
  settlement_reversed: 'Reversed by a reorganization',
  duplicate_settlement: 'Duplicate',
} as const satisfies Record<Reason | keyof typeof HISTORY_CODES, string>

const titles: Record<string, string> = reasonTitles

/** The short title of a reason code; the code itself if it is not known. */
export function reasonTitle(code: string): string {
  return Object.hasOwn(titles, code) ? (titles[code] ?? code) : code
}

/** All titles in the order of the alphabet, each with its codes. */
export const reasonGroups: readonly { title: string; codes: readonly string[] }[] = [...new Set(Object.values(titles))]
  .toSorted((one, other) => one.localeCompare(other, 'en'))
  .map((title) => ({ title, codes: Object.keys(titles).filter((code) => titles[code] === title) }))
