import { HISTORY_CODES, type Reason } from './reasons'

const CLIENT = 'The payer must update its client; the official ones do this by themselves.'
const COPY_REQUIREMENTS =
  "The payer's client must sign the requirements as the merchant sent them. The merchant must forward both unchanged."
const SIGN_AGAIN = 'The payer must ask for the resource again and sign a new payment.'
const FEE_PAYER =
  'The merchant must copy extra.feePayer from /supported into the requirements; the official middleware does, at its start.'
const EXTRAS = 'The payer must remove every instruction that is not a memo or a Lighthouse assertion; we never create accounts.'
const SIMULATED =
  'Verify names the cause in invalidMessage: low balance, a payTo without a token account, or an old blockhash. Once it is fixed, the payer must sign again.'
const NO_FUNDS = HISTORY_CODES.insufficient_funds.remedy
const WAIT = 'The payer must wait until validAfter, or correct its clock and sign again.'
const REFUSED = "Check whether the payer or payTo is blocked by the token's issuer, and what a smart wallet allows."
const FAILED_ON_CHAIN =
  'Nothing moved. Look the transaction up in an explorer and fix the cause. Then the payer must sign a new payment.'

/** What to do about each failed judgement, and who must do it. The cause is the reason's own text. */
export const remedies = {
  unsupported_scheme: 'The merchant must offer a scheme that /supported lists for the network, and the payer must sign it.',
  unsupported_payload_type: 'The payer must sign as the requirements say; official clients do.',
  invalid_exact_evm_scheme: COPY_REQUIREMENTS,
  invalid_exact_evm_missing_eip712_domain:
    'The merchant must put the name and version that /supported has for this asset into paymentRequirements.extra.',
  invalid_exact_evm_network_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_signature:
    'The payer must sign with the "from" wallet, for the chain, asset, name and version in the requirements.',
  eip6492_factory_not_allowed: 'The payer must deploy the smart wallet with any transaction, then sign again.',
  smart_wallet_deployment_failed: 'The payer must deploy the smart wallet with any transaction, then sign again.',
  invalid_exact_evm_recipient_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_payload_authorization_valid_before: `${SIGN_AGAIN} Check the payer's clock if it happens often.`,
  invalid_exact_evm_payload_authorization_valid_after: WAIT,
  invalid_exact_evm_payload_authorization_value_mismatch: COPY_REQUIREMENTS,
  invalid_exact_evm_authorization_value: COPY_REQUIREMENTS,
  asset_not_deployed_contract: 'Report to the operator: the node shows no contract where this token should be.',
  invalid_exact_evm_eip3009_not_supported: 'The merchant must use the asset that /supported names for this network.',
  invalid_exact_evm_nonce_already_used: `${SIGN_AGAIN} If no payment was made, the wallet cancelled the authorization.`,
  invalid_exact_evm_token_name_mismatch:
    'The merchant must use the name that /supported has for this asset; it differs between mainnet and testnet.',
  invalid_exact_evm_token_version_mismatch: 'The merchant must use the version that /supported has for this asset.',
  invalid_exact_evm_insufficient_balance: NO_FUNDS,
  invalid_exact_evm_transaction_simulation_failed: REFUSED,
  invalid_exact_evm_transaction_failed: FAILED_ON_CHAIN,
  invalid_exact_evm_transfer_event_mismatch: 'Look the transaction up in an explorer and tell the operator its hash.',
  invalid_upto_evm_scheme: COPY_REQUIREMENTS,
  invalid_upto_evm_network_mismatch: COPY_REQUIREMENTS,
  upto_facilitator_mismatch:
    'The merchant must read /supported again and put its facilitatorAddress into the requirements; the official middleware does, at its start.',
  invalid_upto_evm_payload_settlement_exceeds_amount: 'The merchant must charge at most what the payer signed.',
  invalid_upto_evm_transaction_failed: FAILED_ON_CHAIN,
  facilitator_mismatch: FEE_PAYER,
  invalid_upto_svm_payment_requirements:
    'The merchant must take feePayer and receiverAuthorizer from /supported; the official middleware does, at its start.',
  invalid_upto_svm_payload_settlement_exceeds_amount: 'The merchant must charge at most what the payer signed.',
  invalid_upto_svm_payload_type: CLIENT,
  invalid_upto_svm_payload_unexpected_voucher: CLIENT,
  invalid_upto_svm_payload_receiver_authorizer: COPY_REQUIREMENTS,
  invalid_upto_svm_payload_amount: CLIENT,
  invalid_upto_svm_payload_amount_mismatch: COPY_REQUIREMENTS,
  invalid_upto_svm_payload_deposit_not_ceiling: CLIENT,
  invalid_upto_svm_payload_channel_seed: CLIENT,
  invalid_upto_svm_payload_not_yet_active: WAIT,
  invalid_upto_svm_payload_expired: SIGN_AGAIN,
  invalid_upto_svm_payload_channel_lifetime_exceeded: 'The merchant must ask for a maxTimeoutSeconds of at most 3600.',
  invalid_upto_svm_payload_expires_at_mismatch: COPY_REQUIREMENTS,
  invalid_upto_svm_payload_payer_mismatch: CLIENT,
  invalid_upto_svm_payload_open_transaction: CLIENT,
  invalid_upto_svm_payload_channel_id: CLIENT,
  invalid_upto_svm_payload_nonce: CLIENT,
  invalid_upto_svm_payload_voucher_signature: 'The merchant must leave voucherSignature out: charges are signed here.',
  invalid_upto_svm_authorizer_address_mismatch:
    'The merchant must claim with the key under which it deposited, and the receiverAuthorizer that /supported named then.',
  invalid_upto_svm_delegated_settle_unauthenticated: 'The merchant must claim with the key under which it deposited.',
  invalid_upto_svm_channel_already_open: SIGN_AGAIN,
  invalid_upto_svm_channel_state:
    'The merchant must claim on the terms of the deposit. A channel that its payer closed can be claimed no more.',
  invalid_upto_svm_settlement_simulation: SIMULATED,
  invalid_batch_settlement_evm_scheme: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_network_mismatch: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_payload_type: CLIENT,
  invalid_batch_settlement_evm_channel_id_mismatch: CLIENT,
  invalid_batch_settlement_evm_receiver_mismatch: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_receiver_authorizer_mismatch: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_token_mismatch: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_withdraw_delay_mismatch: COPY_REQUIREMENTS,
  invalid_batch_settlement_evm_withdraw_delay_out_of_range:
    'The merchant must ask for a withdraw delay of 15 minutes to 30 days.',
  invalid_batch_settlement_evm_erc3009_authorization_required: CLIENT,
  invalid_batch_settlement_evm_missing_eip712_domain:
    'The merchant must put the name and version that /supported has for this asset into paymentRequirements.extra.',
  invalid_batch_settlement_evm_payload_authorization_valid_before: `${SIGN_AGAIN} Check the payer's clock if it happens often.`,
  invalid_batch_settlement_evm_payload_authorization_valid_after: WAIT,
  invalid_batch_settlement_evm_eip6492_factory_not_allowed:
    'The payer must deploy the smart wallet with any transaction, then sign again.',
  invalid_batch_settlement_evm_receive_authorization_signature:
    'Check that the payer of the channel signed, and that chain, asset, name and version are those of the requirements.',
  invalid_batch_settlement_evm_permit2_invalid_signature:
    'Check that the payer of the channel signed, and that chain and asset are those of the requirements.',
  invalid_batch_settlement_evm_permit2_invalid_spender: CLIENT,
  invalid_batch_settlement_evm_permit2_amount_mismatch: CLIENT,
  invalid_batch_settlement_evm_permit2_deadline_expired: `${SIGN_AGAIN} Check the payer's clock if it happens often.`,
  invalid_batch_settlement_evm_permit2_allowance_required:
    'The payer must approve Permit2 for this token once, or its client must send an approval along; then it signs again.',
  invalid_batch_settlement_evm_eip2612_amount_mismatch: CLIENT,
  invalid_batch_settlement_evm_erc20_approval_unavailable:
    'The payer must approve Permit2 by a transaction of its own, then sign again.',
  invalid_batch_settlement_evm_voucher_signature:
    'Check that the authorizer of the channel, or its payer, signed the voucher for this chain.',
  invalid_batch_settlement_evm_rpc_read_failed: 'Report to the operator: the node shows no channels, or the token no balance.',
  invalid_batch_settlement_evm_insufficient_balance: NO_FUNDS,
  invalid_batch_settlement_evm_cumulative_exceeds_balance: 'The payer must deposit more into the channel, then sign again.',
  invalid_batch_settlement_evm_cumulative_below_claimed: CLIENT,
  invalid_batch_settlement_evm_channel_not_found: 'The payer must deposit into the channel first.',
  invalid_batch_settlement_evm_deposit_simulation_failed: REFUSED,
  invalid_batch_settlement_evm_deposit_transaction_failed: FAILED_ON_CHAIN,
  invalid_batch_settlement_evm_authorizer_not_configured:
    'The merchant must use an API key, or sign as receiverAuthorizer itself.',
  invalid_batch_settlement_evm_authorizer_address_mismatch:
    'Use the API key below which the channels were opened, or sign as their receiverAuthorizer.',
  invalid_batch_settlement_evm_claim_simulation_failed:
    'The message names the rows that fail and why; send the others without them.',
  invalid_batch_settlement_evm_claim_transaction_failed:
    'Nothing was claimed. Send the claim again: it is judged anew, and rows that fail are named.',
  invalid_batch_settlement_evm_refund_no_balance: 'Nothing is left to do: all that the channel has is claimed.',
  invalid_batch_settlement_evm_refund_simulation_failed:
    'Read the channel again: its nonce, its balance or what is claimed of it has changed.',
  invalid_batch_settlement_evm_refund_transaction_failed: 'Nothing moved. Read the channel again and send the refund again.',
  invalid_batch_settlement_evm_nothing_to_settle: 'Claim vouchers first.',
  invalid_batch_settlement_evm_settle_simulation_failed:
    "Check whether the receiver is blocked by the token's issuer; what was claimed stays claimed.",
  invalid_batch_settlement_evm_settle_transaction_failed: 'Nothing moved; what was claimed stays claimed. Send it again.',
  invalid_permit2_spender: CLIENT,
  invalid_permit2_recipient_mismatch: COPY_REQUIREMENTS,
  permit2_deadline_expired: `${SIGN_AGAIN} Check the payer's clock if it happens often.`,
  permit2_not_yet_valid: WAIT,
  permit2_payment_too_early: WAIT,
  permit2_amount_mismatch: COPY_REQUIREMENTS,
  permit2_token_mismatch: COPY_REQUIREMENTS,
  invalid_permit2_signature: 'Check that the wallet that signed is "from", and that it signed for this network and for Permit2.',
  permit2_allowance_required:
    'The payer must approve Permit2 for this token once, or send a permit or an approval along; official clients do where the merchant declares gas sponsoring.',
  permit2_simulation_failed: REFUSED,
  permit2_insufficient_balance: NO_FUNDS,
  permit2_proxy_not_deployed:
    'Report to the operator: the node shows no x402 proxy on this network. The merchant can offer a token with EIP-3009.',
  permit2_invalid_nonce: `${SIGN_AGAIN} If no payment was made, the wallet cancelled the authorization.`,
  permit2_invalid_owner: CLIENT,
  permit2_invalid_destination: CLIENT,
  permit2_invalid_amount: CLIENT,
  permit2_2612_amount_mismatch: CLIENT,
  invalid_eip2612_extension_format: CLIENT,
  eip2612_from_mismatch: CLIENT,
  eip2612_asset_mismatch: CLIENT,
  eip2612_spender_not_permit2: CLIENT,
  eip2612_deadline_expired: `${SIGN_AGAIN} Check the payer's clock if it happens often.`,
  invalid_erc20_approval_extension_format: CLIENT,
  erc20_approval_from_mismatch: CLIENT,
  erc20_approval_asset_mismatch: CLIENT,
  erc20_approval_spender_not_permit2: CLIENT,
  erc20_approval_tx_parse_failed: CLIENT,
  erc20_approval_tx_wrong_target: CLIENT,
  erc20_approval_tx_wrong_selector: CLIENT,
  erc20_approval_tx_invalid_calldata: CLIENT,
  erc20_approval_tx_wrong_spender: CLIENT,
  erc20_approval_tx_invalid_signature: CLIENT,
  erc20_approval_tx_signer_mismatch: CLIENT,
  erc20_approval_tx_failed:
    'The payer must sign the approval for this network with its next nonce and at most 100,000 gas, then pay again.',
  erc20_approval_broadcast_failed: SIGN_AGAIN,
  invalid_exact_svm_unsupported_scheme: COPY_REQUIREMENTS,
  invalid_exact_svm_network_mismatch: COPY_REQUIREMENTS,
  network_mismatch: COPY_REQUIREMENTS,
  invalid_exact_svm_payload_missing_fee_payer: FEE_PAYER,
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: `${FEE_PAYER} Restart a merchant that has run since the signers were changed.`,
  fee_payer_not_managed_by_facilitator: `${FEE_PAYER} Restart a merchant that has run since the signers were changed.`,
  invalid_exact_svm_payload_transaction_could_not_be_decoded: CLIENT,
  invalid_exact_svm_payload_excessive_signers: "Only the owner of the tokens may sign; the fee payer's signature is ours.",
  invalid_exact_svm_fee_payer_mismatch: "The payer's client must build the transaction with extra.feePayer as its fee payer.",
  invalid_exact_svm_payload_signature_invalid:
    'The wallet that owns the tokens must sign the finished message, and nothing may change after.',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available:
    "The payer's client must build the transaction without address lookup tables.",
  invalid_exact_svm_smart_wallet_program_not_allowed:
    'The payer must pay from an ordinary wallet, or from a smart wallet whose program the operator allows.',
  invalid_exact_svm_smart_wallet_fee_payer_not_isolated: CLIENT,
  invalid_exact_svm_smart_wallet_malformed_compute_budget: CLIENT,
  invalid_exact_svm_smart_wallet_malformed_compute_limit: CLIENT,
  invalid_exact_svm_smart_wallet_compute_units_too_high:
    "The payer's client must set the limit of compute units to 400,000 or less.",
  invalid_exact_svm_smart_wallet_malformed_compute_price: CLIENT,
  invalid_exact_svm_smart_wallet_priority_fee_too_high:
    "The payer's client must pay 50,000 micro-lamports a unit or less; the whole fee may be 20,000 lamports.",
  invalid_exact_svm_smart_wallet_unsupported_compute_budget_instruction: CLIENT,
  invalid_exact_svm_smart_wallet_simulation_failed: SIMULATED,
  invalid_exact_svm_smart_wallet_no_transfer_in_simulation: CLIENT,
  invalid_exact_svm_smart_wallet_transfer_mismatch: CLIENT,
  invalid_exact_svm_smart_wallet_multiple_matching_transfers: CLIENT,
  post_settlement_transfer_not_confirmed:
    'Look the transaction up in an explorer: the wallet did something else than in its simulation. The payer must pay again.',
  invalid_exact_svm_payload_transaction_instructions_length: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high:
    "The payer's client must set the limit of compute units to 60,000 or less.",
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high:
    "The payer's client must set a lower price; the whole fee may be 20,000 lamports.",
  invalid_exact_svm_payload_no_transfer_instruction: CLIENT,
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds:
    'The payer must pay from its own token account, with itself as the authority.',
  invalid_exact_svm_payload_mint_mismatch:
    'The payer must pay with the mint that the merchant asks for, with the decimals that /supported names.',
  invalid_exact_svm_payload_recipient_mismatch:
    'The payer must send to the associated token account of payTo, from another account. The merchant must name its wallet in payTo, not a token account.',
  invalid_exact_svm_payload_amount_mismatch: COPY_REQUIREMENTS,
  invalid_exact_svm_payload_unknown_fourth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_fifth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_sixth_instruction: EXTRAS,
  invalid_exact_svm_payload_unknown_seventh_instruction: EXTRAS,
  invalid_exact_svm_payload_memo_count:
    'The transaction must have one memo instruction with the text of extra.memo, and no other.',
  invalid_exact_svm_payload_memo_mismatch: 'The memo must be extra.memo, letter by letter.',
  invalid_exact_svm_transaction_simulation_failed: SIMULATED,
  transaction_simulation_failed: SIMULATED,
  invalid_exact_svm_transaction_failed: FAILED_ON_CHAIN,
  transaction_failed: FAILED_ON_CHAIN,
  landed_without_proof:
    'Look the transaction up in an explorer: it may have paid the merchant. Tell the operator the token and the hash.',
  authorization_used_elsewhere:
    'Look for the transfer in an explorer: it may have paid the merchant without us. The payer must sign a new payment only if it did not.',
  settle_exact_svm_block_height_exceeded: SIGN_AGAIN,
  settlement_pending:
    'Repeat the identical request, or look the x-settlement-id up below the same prefix. The payer must sign nothing new until the outcome is known.',
  settlement_reversed: 'The money is back with the payer: deliver nothing more for it, and ask for a new payment.',
  duplicate_settlement: 'Look the payment up below the same prefix; the payer signs a new one only for a new purchase.',
} as const satisfies Record<Reason, string>

const YOUR_CLIENT = 'Update your client; the official ones do this by themselves.'
const SIGN_AGAIN_YOURSELF = 'Ask for the resource again and sign a new payment.'
const WAIT_YOURSELF = 'Wait until validAfter, or correct your clock and sign again.'
const YOUR_FUNDS = 'Add the token of this payment to your wallet on this network and pay again; you need no gas.'
const YOUR_COPY = 'Your client must sign the requirements exactly as it received them; the official ones do.'
const YOUR_SIGNATURE = 'Sign with the wallet that "from" names, for the network and the token of the requirements.'
const YOUR_RULES = "Check whether the token's issuer blocks your wallet or the recipient, and what your smart wallet allows."
const YOUR_EXTRAS = 'Remove every instruction that is not a memo or a Lighthouse assertion, then sign again.'
const YOUR_SIMULATION = 'Check that your wallet has enough of the token of this payment, then sign a new payment.'
const YOURS_FAILED_ON_CHAIN = 'Nothing moved. Look the transaction up in an explorer, then sign a new payment.'

/** The remedies that a payer can apply, as said to the payer. */
export const payerRemedies: Partial<Record<Reason | keyof typeof HISTORY_CODES, string>> = {
  insufficient_funds: YOUR_FUNDS,
  invalid_exact_evm_insufficient_balance: YOUR_FUNDS,
  permit2_insufficient_balance: YOUR_FUNDS,
  permit2_allowance_required: 'Approve Permit2 for this token once in your wallet, then pay again.',
  permit2_deadline_expired: `${SIGN_AGAIN_YOURSELF} Check your clock if it happens often.`,
  permit2_not_yet_valid: WAIT_YOURSELF,
  permit2_invalid_nonce: `${SIGN_AGAIN_YOURSELF} If no payment was made, your wallet cancelled the authorization.`,
  eip6492_factory_not_allowed: 'Deploy your smart wallet with any transaction, then sign again.',
  smart_wallet_deployment_failed: 'Deploy your smart wallet with any transaction, then sign again.',
  invalid_exact_evm_payload_authorization_valid_before: `${SIGN_AGAIN_YOURSELF} Check your clock if it happens often.`,
  invalid_exact_evm_payload_authorization_valid_after: WAIT_YOURSELF,
  invalid_exact_evm_nonce_already_used: `${SIGN_AGAIN_YOURSELF} If no payment was made, your wallet cancelled the authorization.`,
  invalid_exact_evm_transaction_failed: YOURS_FAILED_ON_CHAIN,
  invalid_upto_evm_transaction_failed: YOURS_FAILED_ON_CHAIN,
  invalid_upto_svm_payload_receiver_authorizer: YOUR_COPY,
  invalid_upto_svm_payload_amount: YOUR_CLIENT,
  invalid_upto_svm_payload_amount_mismatch: YOUR_COPY,
  invalid_upto_svm_payload_deposit_not_ceiling: YOUR_CLIENT,
  invalid_upto_svm_payload_channel_seed: YOUR_CLIENT,
  invalid_upto_svm_payload_not_yet_active: WAIT_YOURSELF,
  invalid_upto_svm_payload_expired: SIGN_AGAIN_YOURSELF,
  invalid_upto_svm_payload_expires_at_mismatch: YOUR_COPY,
  invalid_upto_svm_payload_payer_mismatch: YOUR_CLIENT,
  invalid_upto_svm_payload_open_transaction: YOUR_CLIENT,
  invalid_upto_svm_payload_channel_id: YOUR_CLIENT,
  invalid_upto_svm_payload_nonce: YOUR_CLIENT,
  invalid_upto_svm_channel_already_open: SIGN_AGAIN_YOURSELF,
  invalid_upto_svm_settlement_simulation: YOUR_SIMULATION,
  invalid_batch_settlement_evm_scheme: YOUR_COPY,
  invalid_batch_settlement_evm_network_mismatch: YOUR_COPY,
  invalid_batch_settlement_evm_payload_type: YOUR_CLIENT,
  invalid_batch_settlement_evm_channel_id_mismatch: YOUR_CLIENT,
  invalid_batch_settlement_evm_receiver_mismatch: YOUR_COPY,
  invalid_batch_settlement_evm_receiver_authorizer_mismatch: YOUR_COPY,
  invalid_batch_settlement_evm_token_mismatch: YOUR_COPY,
  invalid_batch_settlement_evm_withdraw_delay_mismatch: YOUR_COPY,
  invalid_batch_settlement_evm_erc3009_authorization_required: YOUR_CLIENT,
  invalid_batch_settlement_evm_payload_authorization_valid_before: `${SIGN_AGAIN_YOURSELF} Check your clock if it happens often.`,
  invalid_batch_settlement_evm_payload_authorization_valid_after: WAIT_YOURSELF,
  invalid_batch_settlement_evm_eip6492_factory_not_allowed: 'Deploy your smart wallet with any transaction, then sign again.',
  invalid_batch_settlement_evm_receive_authorization_signature: YOUR_SIGNATURE,
  invalid_batch_settlement_evm_permit2_invalid_signature: YOUR_SIGNATURE,
  invalid_batch_settlement_evm_permit2_invalid_spender: YOUR_CLIENT,
  invalid_batch_settlement_evm_permit2_amount_mismatch: YOUR_CLIENT,
  invalid_batch_settlement_evm_permit2_deadline_expired: `${SIGN_AGAIN_YOURSELF} Check your clock if it happens often.`,
  invalid_batch_settlement_evm_permit2_allowance_required: 'Approve Permit2 for this token once in your wallet, then pay again.',
  invalid_batch_settlement_evm_eip2612_amount_mismatch: YOUR_CLIENT,
  invalid_batch_settlement_evm_erc20_approval_unavailable: 'Approve Permit2 for this token once in your wallet, then pay again.',
  invalid_batch_settlement_evm_voucher_signature: YOUR_SIGNATURE,
  invalid_batch_settlement_evm_insufficient_balance: YOUR_FUNDS,
  invalid_batch_settlement_evm_cumulative_exceeds_balance: 'Deposit more into the channel, then pay again.',
  invalid_batch_settlement_evm_cumulative_below_claimed: YOUR_CLIENT,
  invalid_batch_settlement_evm_channel_not_found: 'Deposit into the channel first.',
  invalid_batch_settlement_evm_deposit_simulation_failed: YOUR_RULES,
  invalid_batch_settlement_evm_deposit_transaction_failed: YOURS_FAILED_ON_CHAIN,
  invalid_exact_svm_transaction_failed: YOURS_FAILED_ON_CHAIN,
  transaction_failed: YOURS_FAILED_ON_CHAIN,
  invalid_exact_svm_payload_transaction_could_not_be_decoded: YOUR_CLIENT,
  invalid_exact_svm_payload_transaction_instructions_length: YOUR_CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction: YOUR_CLIENT,
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction: YOUR_CLIENT,
  invalid_exact_svm_payload_no_transfer_instruction: YOUR_CLIENT,
  settle_exact_svm_block_height_exceeded: SIGN_AGAIN_YOURSELF,
  unknown: 'Sign a new payment. Tell the merchant if it fails again.',
  unsupported_scheme: 'Sign a payment of the scheme "exact". If you were offered another scheme, the merchant must change it.',
  unsupported_payload_type: 'Sign as the requirements say; official clients do.',
  invalid_exact_evm_scheme: YOUR_COPY,
  invalid_exact_evm_network_mismatch: YOUR_COPY,
  invalid_exact_evm_signature: YOUR_SIGNATURE,
  invalid_exact_evm_recipient_mismatch: YOUR_COPY,
  invalid_exact_evm_payload_authorization_value_mismatch: YOUR_COPY,
  invalid_exact_evm_authorization_value: YOUR_COPY,
  invalid_exact_evm_transaction_simulation_failed: YOUR_RULES,
  invalid_exact_evm_transfer_event_mismatch: 'Look the transaction up in an explorer. Sign a new payment only if it did not pay.',
  invalid_permit2_spender: YOUR_CLIENT,
  invalid_permit2_recipient_mismatch: YOUR_COPY,
  permit2_payment_too_early: WAIT_YOURSELF,
  permit2_amount_mismatch: YOUR_COPY,
  permit2_token_mismatch: YOUR_COPY,
  invalid_permit2_signature: YOUR_SIGNATURE,
  permit2_simulation_failed: YOUR_RULES,
  permit2_invalid_owner: YOUR_CLIENT,
  permit2_invalid_destination: YOUR_CLIENT,
  permit2_invalid_amount: YOUR_CLIENT,
  permit2_2612_amount_mismatch: YOUR_CLIENT,
  invalid_eip2612_extension_format: YOUR_CLIENT,
  eip2612_from_mismatch: YOUR_CLIENT,
  eip2612_asset_mismatch: YOUR_CLIENT,
  eip2612_spender_not_permit2: YOUR_CLIENT,
  eip2612_deadline_expired: `${SIGN_AGAIN_YOURSELF} Check your clock if it happens often.`,
  invalid_erc20_approval_extension_format: YOUR_CLIENT,
  erc20_approval_from_mismatch: YOUR_CLIENT,
  erc20_approval_asset_mismatch: YOUR_CLIENT,
  erc20_approval_spender_not_permit2: YOUR_CLIENT,
  erc20_approval_tx_parse_failed: YOUR_CLIENT,
  erc20_approval_tx_wrong_target: YOUR_CLIENT,
  erc20_approval_tx_wrong_selector: YOUR_CLIENT,
  erc20_approval_tx_invalid_calldata: YOUR_CLIENT,
  erc20_approval_tx_wrong_spender: YOUR_CLIENT,
  erc20_approval_tx_invalid_signature: YOUR_CLIENT,
  erc20_approval_tx_signer_mismatch: YOUR_CLIENT,
  erc20_approval_tx_failed: 'Sign the approval for this network with your next nonce and at most 100,000 gas, then pay again.',
  erc20_approval_broadcast_failed: SIGN_AGAIN_YOURSELF,
  invalid_exact_svm_unsupported_scheme: YOUR_COPY,
  invalid_exact_svm_network_mismatch: YOUR_COPY,
  network_mismatch: YOUR_COPY,
  invalid_exact_svm_payload_excessive_signers: 'Let only the wallet that owns the tokens sign; the fee payer signs later.',
  invalid_exact_svm_fee_payer_mismatch: 'Your client must build the transaction with extra.feePayer as its fee payer.',
  invalid_exact_svm_payload_signature_invalid:
    'Sign the finished message with the wallet that owns the tokens, and change nothing after.',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available:
    'Your client must build the transaction without address lookup tables.',
  invalid_exact_svm_smart_wallet_program_not_allowed: 'Pay from an ordinary wallet.',
  invalid_exact_svm_smart_wallet_fee_payer_not_isolated: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_malformed_compute_budget: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_malformed_compute_limit: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_compute_units_too_high: 'Your client must set the limit of compute units to 400,000 or less.',
  invalid_exact_svm_smart_wallet_malformed_compute_price: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_priority_fee_too_high:
    'Your client must pay 50,000 micro-lamports a unit or less; the whole fee may be 20,000 lamports.',
  invalid_exact_svm_smart_wallet_unsupported_compute_budget_instruction: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_simulation_failed: YOUR_SIMULATION,
  invalid_exact_svm_smart_wallet_no_transfer_in_simulation: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_transfer_mismatch: YOUR_CLIENT,
  invalid_exact_svm_smart_wallet_multiple_matching_transfers: YOUR_CLIENT,
  post_settlement_transfer_not_confirmed:
    'Look the transaction up in an explorer: your wallet did something else than in its simulation. Then pay again.',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high:
    'Your client must set the limit of compute units to 60,000 or less.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high:
    'Your client must set a lower price; the whole fee may be 20,000 lamports.',
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds:
    'Pay from your own token account, with your wallet as its authority.',
  invalid_exact_svm_payload_mint_mismatch: 'Pay with the token that the merchant asks for, with its decimals.',
  invalid_exact_svm_payload_recipient_mismatch:
    'Send to the associated token account of payTo, from another account. Official clients do.',
  invalid_exact_svm_payload_amount_mismatch: YOUR_COPY,
  invalid_exact_svm_payload_unknown_fourth_instruction: YOUR_EXTRAS,
  invalid_exact_svm_payload_unknown_fifth_instruction: YOUR_EXTRAS,
  invalid_exact_svm_payload_unknown_sixth_instruction: YOUR_EXTRAS,
  invalid_exact_svm_payload_unknown_seventh_instruction: YOUR_EXTRAS,
  invalid_exact_svm_payload_memo_count: 'Put one memo with the text of extra.memo into the transaction, and no other.',
  invalid_exact_svm_payload_memo_mismatch: 'Your memo must be extra.memo, letter by letter.',
  invalid_exact_svm_transaction_simulation_failed: YOUR_SIMULATION,
  transaction_simulation_failed: YOUR_SIMULATION,
  landed_without_proof: 'Look the transaction up in an explorer. Sign a new payment only if it did not pay.',
  authorization_used_elsewhere:
    'Look for the transfer in an explorer: it may have paid the merchant without us. Sign a new payment only if it did not.',
  settlement_pending: 'Sign nothing new until the outcome is known.',
  settlement_reversed: 'The money is back in your wallet. Sign a new payment if you still want the resource.',
  duplicate_settlement: 'Sign a new payment only for a new purchase.',
}

const PAID_TOKEN = 'the token of this payment'

/** A remedy for a payment of this token, by its symbol. */
export function naming(symbol: string, remedy: string): string {
  return remedy.replace(PAID_TOKEN, symbol)
}
