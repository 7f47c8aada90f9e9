import type { Payment } from '../payment'

/** Why a judged payment failed: the exact codes of the official facilitator, each with a readable text. */
export const reasons = {
  unsupported_scheme: 'This payment scheme is not supported here; use one that /supported names.',
  unsupported_payload_type: 'The payload has not the form of its scheme, or is a Permit2 payment where none is taken.',
  invalid_exact_evm_scheme: 'The payment and its requirements must both use the scheme "exact".',
  invalid_exact_evm_missing_eip712_domain: 'paymentRequirements.extra must carry the token\'s EIP-712 "name" and "version".',
  invalid_exact_evm_network_mismatch: 'The payment was made for another network than the requirements ask for.',
  invalid_exact_evm_signature: 'The signature is not a valid signature of this authorization by its "from" wallet.',
  eip6492_factory_not_allowed: 'The wallet is not deployed and its factory is not allowed here; deploy the wallet first.',
  smart_wallet_deployment_failed: 'The factory that the signature names did not put the wallet on the chain.',
  invalid_exact_evm_recipient_mismatch: 'The authorization pays another address than payTo.',
  invalid_exact_evm_payload_authorization_valid_before:
    'The authorization has expired, or expires before a block can hold it; sign one that is valid for longer.',
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
  invalid_upto_evm_scheme: 'The payment and its requirements must both use the scheme "upto".',
  invalid_upto_evm_network_mismatch: 'The payment was made for another network than the requirements ask for.',
  upto_facilitator_mismatch:
    'The authorization names a facilitator that is no signer here; take the facilitatorAddress that /supported names.',
  invalid_upto_evm_payload_settlement_exceeds_amount: 'The charge is more than the payer signed.',
  invalid_upto_evm_transaction_failed: 'The transfer was sent and reverted on chain.',
  facilitator_mismatch: 'extra.feePayer does not serve payments here; take the one that /supported names for this network.',
  invalid_upto_svm_payment_requirements:
    'paymentRequirements.extra must carry feePayer, receiverAuthorizer and withdrawDelay as the official middleware writes them.',
  invalid_upto_svm_payload_settlement_exceeds_amount: 'The charge is more than the payer signed.',
  invalid_upto_svm_payload_type:
    "The payload must have the type that the merchant's server writes when it settles, and none before.",
  invalid_upto_svm_payload_unexpected_voucher: 'A payment that opens a channel carries no voucher.',
  invalid_upto_svm_payload_receiver_authorizer: 'The payload names another receiverAuthorizer than the requirements.',
  invalid_upto_svm_payload_amount: 'An amount of the payload is no decimal number of 64 bits.',
  invalid_upto_svm_payload_amount_mismatch: 'The maximum that was signed differs from the required amount.',
  invalid_upto_svm_payload_deposit_not_ceiling: 'The deposit differs from the maximum that was signed.',
  invalid_upto_svm_payload_channel_seed: 'The nonce or a slot is no decimal number of 64 bits.',
  invalid_upto_svm_payload_not_yet_active: 'The payment is not valid yet.',
  invalid_upto_svm_payload_expired: 'The payment has expired; its channel can only be closed.',
  invalid_upto_svm_payload_channel_lifetime_exceeded: 'The channel would stay open for longer than an hour.',
  invalid_upto_svm_payload_expires_at_mismatch: 'expiresAt is later than maxTimeoutSeconds allows.',
  invalid_upto_svm_payload_payer_mismatch: 'payload.from is not the payer that opens the channel.',
  invalid_upto_svm_payload_open_transaction: 'The transaction does not open exactly the channel that the requirements ask for.',
  invalid_upto_svm_payload_channel_id: 'The transaction opens another channel than the payload names.',
  invalid_upto_svm_payload_nonce: 'The transaction opens the channel with another nonce than the payload names.',
  invalid_upto_svm_payload_voucher_signature: 'A claim carries no voucher: charges are signed here.',
  invalid_upto_svm_authorizer_address_mismatch: 'The receiverAuthorizer of the claim is not kept here for this key.',
  invalid_upto_svm_delegated_settle_unauthenticated: 'This key took no deposit into this channel.',
  invalid_upto_svm_channel_already_open: 'The channel is on the chain already.',
  invalid_upto_svm_channel_state: 'The channel is not open on the chain on the terms of this payment.',
  invalid_upto_svm_settlement_simulation: 'Opening, charging or paying out the channel would fail on chain.',
  invalid_batch_settlement_evm_scheme: 'The payment and its requirements must both use the scheme "batch-settlement".',
  invalid_batch_settlement_evm_network_mismatch: 'The payment was made for another network than the requirements ask for.',
  invalid_batch_settlement_evm_payload_type:
    'The payload has not the form of a deposit, a voucher, a claim, a settlement or a refund.',
  invalid_batch_settlement_evm_channel_id_mismatch: 'The channel id is not the hash of the channel on this network.',
  invalid_batch_settlement_evm_receiver_mismatch: 'The channel pays another address than payTo.',
  invalid_batch_settlement_evm_receiver_authorizer_mismatch:
    'The channel names another receiverAuthorizer than the requirements.',
  invalid_batch_settlement_evm_token_mismatch: 'The channel or its deposit is of another token than the asset.',
  invalid_batch_settlement_evm_withdraw_delay_mismatch: 'The channel has another withdraw delay than the requirements.',
  invalid_batch_settlement_evm_withdraw_delay_out_of_range: 'The withdraw delay of the channel must be 900 to 2,592,000 seconds.',
  invalid_batch_settlement_evm_erc3009_authorization_required:
    'The deposit carries no EIP-3009 authorization, and its requirements ask for one.',
  invalid_batch_settlement_evm_missing_eip712_domain:
    'paymentRequirements.extra must carry the token\'s EIP-712 "name" and "version".',
  invalid_batch_settlement_evm_payload_authorization_valid_before:
    'The authorization of the deposit has expired, or expires before a block can hold it; sign one that is valid for longer.',
  invalid_batch_settlement_evm_payload_authorization_valid_after: 'The authorization of the deposit is not valid yet.',
  invalid_batch_settlement_evm_eip6492_factory_not_allowed:
    'The wallet is not deployed and its factory is not allowed here; deploy the wallet first.',
  invalid_batch_settlement_evm_receive_authorization_signature:
    'The signature is not a valid signature of the deposit by the payer of the channel.',
  invalid_batch_settlement_evm_permit2_invalid_signature:
    'The signature is not a valid Permit2 signature of the deposit by the payer of the channel.',
  invalid_batch_settlement_evm_permit2_invalid_spender:
    'The spender of the Permit2 authorization is not the collector of deposits.',
  invalid_batch_settlement_evm_permit2_amount_mismatch: 'The Permit2 authorization is for another amount than the deposit.',
  invalid_batch_settlement_evm_permit2_deadline_expired:
    'The Permit2 authorization has expired, or expires before a block can hold it; sign one that is valid for longer.',
  invalid_batch_settlement_evm_permit2_allowance_required: 'Permit2 may not take the deposit from the payer yet.',
  invalid_batch_settlement_evm_eip2612_amount_mismatch: 'The permit of the token is for another amount than the deposit.',
  invalid_batch_settlement_evm_erc20_approval_unavailable: 'Approvals of payers are not sent here.',
  invalid_batch_settlement_evm_voucher_signature: 'The signature is not a valid signature of this voucher.',
  invalid_batch_settlement_evm_rpc_read_failed: 'The chain did not show the channel, or the token no balance.',
  invalid_batch_settlement_evm_insufficient_balance: "The payer's balance is lower than the deposit.",
  invalid_batch_settlement_evm_cumulative_exceeds_balance: 'The voucher is for more than the channel has.',
  invalid_batch_settlement_evm_cumulative_below_claimed: 'The voucher is for no more than was claimed of the channel before.',
  invalid_batch_settlement_evm_channel_not_found: 'The channel has nothing: no deposit into it is on the chain.',
  invalid_batch_settlement_evm_deposit_simulation_failed: 'The deposit would fail on chain.',
  invalid_batch_settlement_evm_deposit_transaction_failed: 'The deposit was sent and reverted on chain.',
  invalid_batch_settlement_evm_authorizer_not_configured:
    'No receiverAuthorizer is kept here for this caller, and the payload carries no signature of one.',
  invalid_batch_settlement_evm_authorizer_address_mismatch:
    'A channel names another receiverAuthorizer than the one that is kept here for this caller.',
  invalid_batch_settlement_evm_claim_simulation_failed: 'The claim would fail on chain.',
  invalid_batch_settlement_evm_claim_transaction_failed: 'The claim was sent and reverted on chain.',
  invalid_batch_settlement_evm_refund_no_balance: 'The channel has nothing left to refund.',
  invalid_batch_settlement_evm_refund_simulation_failed: 'The refund would fail on chain.',
  invalid_batch_settlement_evm_refund_transaction_failed: 'The refund was sent and reverted on chain.',
  invalid_batch_settlement_evm_nothing_to_settle: 'Nothing is claimed for this receiver and token that was not paid before.',
  invalid_batch_settlement_evm_settle_simulation_failed: 'The payment to the receiver would fail on chain.',
  invalid_batch_settlement_evm_settle_transaction_failed: 'The payment to the receiver was sent and reverted on chain.',
  invalid_permit2_spender: 'The spender of the Permit2 authorization is not the x402 proxy.',
  invalid_permit2_recipient_mismatch: 'The Permit2 authorization pays another address than payTo.',
  permit2_deadline_expired:
    'The Permit2 authorization has expired, or expires before a block can hold it; sign one that is valid for longer.',
  permit2_not_yet_valid: 'The Permit2 authorization is not valid yet.',
  permit2_payment_too_early: 'The Permit2 authorization is not valid in the newest block yet.',
  permit2_amount_mismatch: 'The authorized amount differs from the required amount.',
  permit2_token_mismatch: 'The Permit2 authorization is for another token than the asset.',
  invalid_permit2_signature: 'The signature is not a valid signature of this Permit2 authorization by its "from" wallet.',
  permit2_allowance_required: 'Permit2 may not take this token from the payer yet.',
  permit2_simulation_failed: 'The transfer would fail on chain.',
  permit2_insufficient_balance: "The payer's balance is lower than the amount.",
  permit2_proxy_not_deployed: 'The x402 proxy of Permit2 is not deployed on this network.',
  permit2_invalid_nonce: 'This Permit2 authorization was already used or cancelled on chain; sign a new one.',
  permit2_invalid_owner: 'The Permit2 authorization names no owner.',
  permit2_invalid_destination: 'The Permit2 authorization pays no address.',
  permit2_invalid_amount: 'The amount is zero, or more than was authorized.',
  permit2_2612_amount_mismatch: 'The permit of the token is for another amount than the payment.',
  invalid_eip2612_extension_format: 'extensions.eip2612GasSponsoring.info is not a permit in the form of the extension.',
  eip2612_from_mismatch: 'The permit is of another wallet than the payment.',
  eip2612_asset_mismatch: 'The permit is for another token than the asset.',
  eip2612_spender_not_permit2: 'The permit is for another spender than Permit2.',
  eip2612_deadline_expired: 'The permit has expired, or expires before a block can hold it; sign one that is valid for longer.',
  invalid_erc20_approval_extension_format:
    'extensions.erc20ApprovalGasSponsoring.info is not an approval in the form of the extension.',
  erc20_approval_from_mismatch: 'The approval is of another wallet than the payment.',
  erc20_approval_asset_mismatch: 'The approval is for another token than the asset.',
  erc20_approval_spender_not_permit2: 'The approval is for another spender than Permit2.',
  erc20_approval_tx_parse_failed: 'The signed approval is not a transaction that can be read.',
  erc20_approval_tx_wrong_target: 'The signed approval calls another contract than the asset.',
  erc20_approval_tx_wrong_selector: 'The signed approval does not call approve.',
  erc20_approval_tx_invalid_calldata: 'The call of the signed approval cannot be read.',
  erc20_approval_tx_wrong_spender: 'The signed approval names another spender than Permit2.',
  erc20_approval_tx_invalid_signature: 'The signed approval has no valid signature.',
  erc20_approval_tx_signer_mismatch: 'The approval was signed by another wallet than the payer.',
  erc20_approval_tx_failed: 'The signed approval cannot be sent: another chain, a used nonce, too much gas, or it would fail.',
  erc20_approval_broadcast_failed: 'The signed approval was sent and did not let Permit2 take the tokens.',
  invalid_exact_svm_unsupported_scheme: 'The payment and its requirements must both use the scheme "exact".',
  invalid_exact_svm_network_mismatch: 'The payment was made for another network than the requirements ask for.',
  network_mismatch: 'The payment was made for another network than the requirements ask for.',
  invalid_exact_svm_payload_missing_fee_payer:
    'paymentRequirements.extra.feePayer is missing; take the one that /supported names for this network.',
  invalid_exact_svm_fee_payer_not_managed_by_facilitator:
    'extra.feePayer does not serve payments here; take the one that /supported names for this network.',
  fee_payer_not_managed_by_facilitator:
    'extra.feePayer does not serve payments here; take the one that /supported names for this network.',
  invalid_exact_svm_payload_transaction_could_not_be_decoded:
    'The transaction is not base64 of a legacy or version 0 Solana transaction of at most 1232 bytes.',
  invalid_exact_svm_payload_excessive_signers:
    'The transaction asks for more signatures than those of the fee payer and the payer.',
  invalid_exact_svm_fee_payer_mismatch: 'The first account of the transaction must be extra.feePayer, which pays its fee.',
  invalid_exact_svm_payload_signature_invalid:
    "The payer's signature does not hold for this message; sign the transaction again.",
  invalid_exact_svm_smart_wallet_alt_resolution_not_available:
    'Address lookup tables are not taken; name every account in the transaction itself.',
  invalid_exact_svm_payload_transaction_instructions_length:
    'The transaction must have 3 to 7 instructions (3 to 6 in x402 version 1).',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction:
    'The first instruction must be SetComputeUnitLimit of the compute budget program.',
  invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high:
    'The limit of compute units is higher than a payment needs.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction:
    'The second instruction must be SetComputeUnitPrice of the compute budget program.',
  invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high:
    'The price of a compute unit is higher than is paid here.',
  invalid_exact_svm_payload_no_transfer_instruction:
    "The third instruction must be a plain TransferChecked of the asset's token program, with four accounts.",
  invalid_exact_svm_payload_transaction_fee_payer_transferring_funds:
    'The tokens must be those of the payer; a fee payer of this facilitator may appear in no instruction.',
  invalid_exact_svm_payload_mint_mismatch: 'The transfer is of another token than the asset.',
  invalid_exact_svm_payload_recipient_mismatch: 'The transfer does not go to the associated token account of payTo.',
  invalid_exact_svm_payload_amount_mismatch: 'The transferred amount differs from the required amount.',
  invalid_exact_svm_payload_unknown_fourth_instruction:
    'The fourth instruction is neither a memo nor an assertion of Lighthouse.',
  invalid_exact_svm_payload_unknown_fifth_instruction: 'The fifth instruction is neither a memo nor an assertion of Lighthouse.',
  invalid_exact_svm_payload_unknown_sixth_instruction: 'The sixth instruction is neither a memo nor an assertion of Lighthouse.',
  invalid_exact_svm_payload_unknown_seventh_instruction:
    'The seventh instruction is neither a memo nor an assertion of Lighthouse.',
  invalid_exact_svm_payload_memo_count: 'The requirements ask for a memo; the transaction must carry exactly one.',
  invalid_exact_svm_payload_memo_mismatch: 'The memo differs from extra.memo.',
  invalid_exact_svm_smart_wallet_program_not_allowed:
    'A program of the transaction is none of the smart wallets that this facilitator takes.',
  invalid_exact_svm_smart_wallet_fee_payer_not_isolated:
    "A fee payer of this facilitator may appear in no instruction of a smart wallet's transaction.",
  invalid_exact_svm_smart_wallet_malformed_compute_budget: 'An instruction of the compute budget program is empty.',
  invalid_exact_svm_smart_wallet_malformed_compute_limit: 'The limit of compute units cannot be read.',
  invalid_exact_svm_smart_wallet_compute_units_too_high:
    "The limit of compute units is higher than a smart wallet's payment needs.",
  invalid_exact_svm_smart_wallet_malformed_compute_price: 'The price of a compute unit cannot be read.',
  invalid_exact_svm_smart_wallet_priority_fee_too_high:
    'The price of a compute unit, or the whole fee, is higher than is paid here.',
  invalid_exact_svm_smart_wallet_unsupported_compute_budget_instruction:
    'The compute budget may set the limit of compute units and their price only.',
  invalid_exact_svm_smart_wallet_simulation_failed: "The smart wallet's transaction would fail on chain.",
  invalid_exact_svm_smart_wallet_no_transfer_in_simulation: "The smart wallet's transaction makes no transfer.",
  invalid_exact_svm_smart_wallet_transfer_mismatch:
    "No transfer of the smart wallet's transaction is of the asset, to payTo's associated token account and of the amount.",
  invalid_exact_svm_smart_wallet_multiple_matching_transfers: "The smart wallet's transaction pays payTo more than once.",
  invalid_exact_svm_transaction_simulation_failed: 'The transfer would fail on chain.',
  transaction_simulation_failed: 'The transfer would fail on chain.',
  invalid_exact_svm_transaction_failed: 'The transaction is on the chain and failed there; nothing was transferred.',
  transaction_failed: 'The transaction is on the chain and failed there; nothing was transferred.',
  post_settlement_transfer_not_confirmed:
    "The smart wallet's transaction is on the chain, and its effects do not show the transfer to payTo.",
  landed_without_proof: 'The transaction was mined and used the authorization, and its logs do not prove the transfer.',
  authorization_used_elsewhere: 'The authorization was used on chain by a transaction that is not ours.',
  settle_exact_svm_block_height_exceeded:
    'The transaction did not land before its blockhash expired, and never will; sign a new one.',
  settlement_pending:
    'The transfer may have been sent and its outcome is not known yet; repeat the identical request to wait for it.',
  settlement_reversed: 'The transfer landed and was undone by a reorganisation of the chain.',
  duplicate_settlement: 'This payment was already submitted.',
} as const satisfies Record<string, string>

export type Reason = keyof typeof reasons

/** A failed judgement: the wire reason, its text, and the history code where it is more precise. */
export type Failure = { reason: Reason; message: string; recorded?: 'insufficient_funds' }

/** The failure for a reason, with its standard text by default. */
export function failure(reason: Reason, message: string = reasons[reason]): Failure {
  return { reason, message }
}

/** `error_reason` of a history row: the history code where there is one, else the wire reason. */
export function historyReason(reason: string): string {
  if (reason.endsWith('_insufficient_balance')) return 'insufficient_funds'
  return Object.hasOwn(reasons, reason) ? reason : 'unknown'
}

// The official facilitator keeps the short codes of version 1, which has none for lookup tables.
const VERSION_1: Partial<Record<Reason, Reason>> = {
  invalid_exact_svm_unsupported_scheme: 'unsupported_scheme',
  invalid_exact_svm_network_mismatch: 'network_mismatch',
  invalid_exact_svm_fee_payer_not_managed_by_facilitator: 'fee_payer_not_managed_by_facilitator',
  invalid_exact_svm_smart_wallet_alt_resolution_not_available: 'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  invalid_exact_svm_transaction_simulation_failed: 'transaction_simulation_failed',
  invalid_exact_svm_transaction_failed: 'transaction_failed',
}

/** The failure for a Solana reason, in the codes of the payment's x402 version, with its standard text by default. */
export function svmFailure({ x402Version }: Pick<Payment, 'x402Version'>, reason: Reason, message?: string): Failure {
  const code = x402Version === 1 ? VERSION_1[reason] : undefined
  return failure(code ?? reason, message ?? failure(reason).message)
}

/** Codes that only history and analytics use. */
export const HISTORY_CODES = {
  insufficient_funds: {
    cause: "The payer's balance was lower than the amount.",
    remedy: 'The payer must add the token of this payment to its wallet on this network and pay again; no gas is needed.',
  },
  unknown: {
    cause: 'The payment failed and no cause was kept.',
    remedy: 'Look the settlement up by its id or transaction; tell the operator if it happens again.',
  },
} as const satisfies Record<string, { cause: string; remedy: string }>
