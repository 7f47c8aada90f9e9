import type { Reason } from './reasons'

const CLIENT = 'Update the payer’s client; the official ones do this by themselves.'
const COPY_REQUIREMENTS = 'Let the client sign the requirements as the merchant sent them, and forward both unchanged.'
const SIGN_AGAIN = 'Ask for the resource again and sign a new payment.'
const FEE_PAYER = 'Copy extra.feePayer from /supported into the requirements; the official middleware does, at its start.'
const EXTRAS = 'Remove every instruction that is not a memo or a Lighthouse assertion; we never create accounts.'
const SIMULATED =
  'Verify names the cause in invalidMessage: low balance, a payTo without a token account, or an old blockhash. Fix it and sign again.'
const FAILED_ON_CHAIN = 'Nothing moved. Look the transaction up in an explorer, fix the cause, and sign a new payment.'

/** What to do about each failed judgement, in plain words. The cause is the reason's own text. */
export const remedies = {
  unsupported_scheme: 'Offer and sign the scheme "exact"; /supported lists what is taken.',
  unsupported_payload_type: 'Sign an EIP-3009 authorization in the client; official clients do this for USDC.',
  invalid_exact_evm_scheme: COPY_REQUIREMENTS,
  invalid_exact_evm_missing_eip712_domain:
    'Put the name and version that /supported has for this asset into paymentRequirements.extra.',
  invalid_exact_evm_network_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_signature:
    'Check that the wallet that signed is "from", and that chain, asset, name and version are those of the requirements.',
  eip6492_factory_not_allowed: 'Deploy the smart wallet with any transaction, then sign again.',
  invalid_exact_evm_recipient_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_payload_authorization_valid_before: `${SIGN_AGAIN} Check the payer’s clock if it happens often.`,
  invalid_exact_evm_payload_authorization_valid_after: 'Wait until validAfter, or check the payer’s clock and sign again.',
  invalid_exact_evm_payload_authorization_value_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_authorization_value: COPY_REQUIREMENTS,
  asset_not_deployed_contract: 'Report to the operator: the node shows no token where this network’s USDC should be.',
  invalid_exact_evm_eip3009_not_supported: 'Use the asset that /supported names for this network.',
  invalid_exact_evm_nonce_already_used: `${SIGN_AGAIN} If no payment was made, the wallet cancelled the authorization.`,
  invalid_exact_evm_token_name_mismatch:
    'Use the name that /supported has for this asset; it differs between mainnet and testnet.',
  invalid_exact_evm_token_version_mismatch: 'Use the version that /supported has for this asset.',
  invalid_exact_evm_insufficient_balance: 'Send USDC to the payer on this network and pay again; no gas is needed.',
  invalid_exact_evm_transaction_simulation_failed:
    'Check whether the payer or payTo is blocked by the token’s issuer, and what a smart wallet allows.',
  invalid_exact_evm_transaction_failed: FAILED_ON_CHAIN,
  invalid_exact_evm_transfer_event_mismatch: 'Look the transaction up in an explorer and tell the operator its hash.',
  invalid_exact_svm_unsupported_scheme: COPY_REQUIREMENTS,
  invalid_exact_svm_network_mismatch: COPY_REQUIREMENTS,
  network_mismatch: COPY_REQUIREMENTS,
  invalid_exact_svm_payload_missing_fee_payer: FEE_PAYER,
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: `${FEE_PAYER} Restart a merchant that has run since the signers were changed.`,
  fee_payer_not_managed_by_facilitator: `${FEE_PAYER} Restart a merchant that has run since the signers were changed.`,
  invalid_exact_svm_payload_transaction_could_not_be_decoded: CLIENT,
  invalid_exact_svm_payload_excessive_signers: 'Let only the owner of the tokens sign; the fee payer’s signature is ours.',
  invalid_exact_svm_fee_payer_mismatch: 'Build the transaction with extra.feePayer as its fee payer.',
  invalid_exact_svm_payload_signature_invalid:
    'Sign the finished message with the wallet that owns the tokens; change nothing after.',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available: 'Build the transaction without address lookup tables.',
  invalid_exact_svm_payload_transaction_instructions_length: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high:
    'Set the limit of compute units to 60,000 or less.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high:
    'Set a lower price; the whole fee may be 20,000 lamports.',
  invalid_exact_svm_payload_no_transfer_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds:
    'Pay from the payer’s own token account, with the payer as its authority.',
  invalid_exact_svm_payload_mint_mismatch: 'Pay with the mint that /supported names for this network, with 6 decimals.',
  invalid_exact_svm_payload_recipient_mismatch:
    'Send to the associated token account of payTo, from another account; merchants name their wallet in payTo, not a token account.',
  invalid_exact_svm_payload_amount_mismatch: COPY_REQUIREMENTS,
  invalid_exact_svm_payload_unknown_fourth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_fifth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_sixth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_seventh_instruction: EXTRAS,
  invalid_exact_svm_payload_memo_count: 'Add one memo instruction with the text of extra.memo, and no other.',
  invalid_exact_svm_payload_memo_mismatch: 'Write extra.memo into the memo letter by letter.',
  invalid_exact_svm_transaction_simulation_failed: SIMULATED,
  transaction_simulation_failed: SIMULATED,
  invalid_exact_svm_transaction_failed: FAILED_ON_CHAIN,
  transaction_failed: FAILED_ON_CHAIN,
  authorization_used_elsewhere:
    'Look for the transfer in an explorer: it may have paid the merchant without us. Sign a new payment only if it did not.',
  settle_exact_svm_block_height_exceeded: SIGN_AGAIN,
  settlement_pending:
    'Repeat the identical request, or look the x-settlement-id up below the same prefix. Sign nothing new until the outcome is known.',
  settlement_reversed: 'The money is back with the payer: deliver nothing more for it, and ask for a new payment.',
  duplicate_settlement: 'Look the payment up below the same prefix; sign a new one only for a new purchase.',
} as const satisfies Record<Reason, string>
