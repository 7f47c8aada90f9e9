import type { EvmPlan } from './evm-payments'
import type { SvmPlan } from './svm-payments'
import type { Verdict } from './verdicts'

/**
 * A deliberate difference between our verify and the official facilitator's. `official` is its verdict, or `goes on`: it lacks the rule,
 * so a later rule decides, or the payment is valid.
 */
export type Difference<Plan> = {
  ours: Verdict
  official: Verdict
  why: string
  /** The change that turns a valid payment into this case. */
  example: Partial<Plan>
  /** A further condition on a plan for this row to apply. */
  needs?: (plan: Plan) => boolean
  /** If set, the difference is in this x402 version only. */
  version?: 1 | 2
}

const UNREADABLE = 'We refuse unreadable input. The official one throws (a 500) or reads hex numbers.'
const REQUIREMENTS = 'We accept only the tokens in /supported, and no payment below the minimum.'
const SELF = 'A transfer to its own payer moves nothing and costs gas.'
const NETWORK = 'The official one throws (a 500) for a network that it does not serve.'
const SCHEME = 'The official one throws (a 500) for a scheme that it does not serve.'

const MAINNET = { signed: 'mainnet', asked: 'mainnet' } as const
const OUTDATED = { signed: 'outdated', asked: 'outdated' } as const

/** Deliberate differences on EVM. */
export const evmDifferences: Difference<EvmPlan>[] = [
  { ours: '400 invalid_payload', official: 'throws', why: UNREADABLE, example: { form: 'a value in words' } },
  { ours: '400 invalid_payload', official: 'goes on', why: UNREADABLE, example: { form: 'a value in hex' } },
  { ours: '400 invalid_payment_requirements', official: 'goes on', why: REQUIREMENTS, example: { amount: 'tiny' } },
  {
    ours: '400 invalid_payment_requirements',
    official: 'throws',
    why: 'The same when the asset is no address, or belongs to a network that the official one does not serve.',
    example: { asset: 'no address' },
  },
  { ours: '400 invalid_payment', official: 'goes on', why: SELF, example: { payTo: 'payer' } },
  {
    ours: '400 invalid_x402_version',
    official: 'throws',
    why: 'The official one throws (a 500) for an unknown version.',
    example: { form: 'version 3' },
  },
  { ours: '403 invalid_network', official: 'throws', why: NETWORK, example: { network: 'foreign' } },
  { ours: 'unsupported_scheme', official: 'throws', why: SCHEME, example: { scheme: 'deferred' } },
  { ours: 'invalid_exact_evm_scheme', official: 'throws', why: SCHEME, example: { scheme: 'unheard-of' } },
  {
    ours: 'eip6492_factory_not_allowed',
    official: 'throws',
    why: 'An empty ERC-6492 wrapper makes the official one throw.',
    example: { spelling: 'an empty wrapper' },
  },
  {
    ours: 'invalid_exact_evm_signature',
    official: 'throws',
    why: 'The same when the wallet is deployed.',
    example: { spelling: 'an empty wrapper', payer: 'coded' },
  },
  {
    ours: 'invalid_exact_evm_signature',
    official: 'goes on',
    why: 'A signature with a high s is another spelling of a known one. USDC refuses it, so the official simulation fails.',
    example: { spelling: 'high s' },
  },
  {
    ours: 'valid',
    official: 'invalid_exact_evm_transaction_simulation_failed',
    why: 'Some key services write a v of 0 or 1. We change it to 27 or 28 before we send.',
    example: { spelling: 'v of 0 or 1' },
    needs: ({ spelling }) => spelling === 'v of 0 or 1',
  },
  {
    ours: 'invalid_exact_evm_token_name_mismatch',
    official: 'invalid_exact_evm_nonce_already_used',
    why: "We know the token's domain without a chain call; the official one checks the nonce first.",
    example: { payer: 'spent', domain: MAINNET },
  },
  {
    ours: 'invalid_exact_evm_token_version_mismatch',
    official: 'invalid_exact_evm_nonce_already_used',
    why: "We know the token's domain without a chain call; the official one checks the nonce first.",
    example: { payer: 'spent', domain: OUTDATED },
  },
]

const UNSIMULATED = 'The official settle sends without simulating, and takes the reason from the error text of the node.'
const settles = (ours: Verdict, example: Partial<EvmPlan>): Difference<EvmPlan> => {
  return { ours, official: 'what its node says', why: UNSIMULATED, example }
}

/** Further deliberate differences of settle on EVM; our settle equals our verify. */
export const evmSettleDifferences: Difference<EvmPlan>[] = [
  {
    ours: 'valid',
    official: 'what its node says',
    why: 'We change a v of 0 or 1 to 27 or 28 before we send.',
    example: { spelling: 'v of 0 or 1' },
    needs: ({ spelling }) => spelling === 'v of 0 or 1',
  },
  settles('invalid_exact_evm_signature', { spelling: 'high s', payer: 'blocked' }),
  settles('invalid_exact_evm_token_name_mismatch', { domain: MAINNET }),
  settles('invalid_exact_evm_token_version_mismatch', { domain: OUTDATED }),
  settles('invalid_exact_evm_nonce_already_used', { payer: 'spent', payTo: 'blocked merchant' }),
  settles('invalid_exact_evm_insufficient_balance', { payer: 'poor', payTo: 'blocked merchant' }),
  settles('invalid_exact_evm_transaction_simulation_failed', { payer: 'blocked' }),
]

const trick = (...tricks: string[]): Partial<SvmPlan> => ({ tricks })
const P = 'invalid_exact_svm_payload'
const EXACTLY = 'An instruction has no bytes beyond its call, even where the chain would ignore them.'
const COSTS = 'We bound what a payment may cost its sponsor: compute units, and their total price.'

/** Deliberate differences on Solana. */
export const svmDifferences: Difference<SvmPlan>[] = [
  {
    ours: '400 invalid_payload',
    official: 'goes on',
    why: 'Without a transaction a field is missing, and there is no payment to judge.',
    example: { transaction: 'missing' },
  },
  { ours: '400 invalid_payment_requirements', official: 'goes on', why: REQUIREMENTS, example: { amount: 'tiny' } },
  {
    ours: '400 invalid_payment_requirements',
    official: 'throws',
    why: REQUIREMENTS,
    example: { amount: 'tiny', ...trick('the scheme upto') },
  },
  { ours: '400 invalid_payment', official: 'goes on', why: SELF, example: trick('the account that the money comes from') },
  { ours: 'unsupported_scheme', official: 'throws', why: SCHEME, example: trick('the scheme upto') },
  {
    ours: 'invalid_exact_svm_unsupported_scheme',
    official: 'throws',
    why: SCHEME,
    example: trick('an unheard-of scheme'),
    version: 2,
  },
  {
    ours: `${P}_transaction_could_not_be_decoded`,
    official: 'goes on',
    why: 'We read only messages that the chain reads: no trailing bytes, no contradictory counts.',
    example: trick('a byte after the end of the message'),
  },
  {
    ours: `${P}_transaction_could_not_be_decoded`,
    official: 'throws',
    why: 'A transfer from an account that the message lacks makes the official one throw.',
    // The byte with the mint's account index: after the version, three counts, eight accounts, the blockhash and two instructions.
    example: { flip: { at: 1 + 3 + 1 + 8 * 32 + 32 + 1 + 8 + 12 + 3, mask: 64 } },
  },
  {
    ours: `${P}_excessive_signers`,
    official: 'goes on',
    why: 'Every signature costs its sponsor as much as the whole transfer. The official version 1 has no limit.',
    example: trick('a third signer'),
    version: 1,
  },
  {
    ours: `${P}_signature_invalid`,
    official: 'goes on',
    why: "We check the payer's signature as strictly as the chain. The official one only simulates, which checks no signature.",
    example: trick('an authority that has not signed'),
  },
  {
    ours: 'invalid_exact_svm_smart_wallet_alt_resolution_not_available',
    official: 'invalid_exact_svm_smart_wallet_alt_resolution_failed',
    why: 'We never read address lookup tables: they can change after the judgement.',
    example: trick('an address lookup table'),
    version: 2,
  },
  {
    ours: `${P}_transaction_instructions_compute_limit_instruction`,
    official: 'goes on',
    why: EXACTLY,
    example: trick('a limit with a byte too many'),
  },
  {
    ours: `${P}_transaction_instructions_compute_limit_instruction_too_high`,
    official: 'goes on',
    why: COSTS,
    example: trick('more compute units than are allowed'),
    version: 1,
  },
  {
    ours: `${P}_transaction_instructions_compute_price_instruction`,
    official: 'goes on',
    why: EXACTLY,
    example: trick('a price with a byte too many'),
  },
  {
    ours: `${P}_transaction_instructions_compute_price_instruction_too_high`,
    official: 'goes on',
    why: COSTS,
    example: trick('a fee one lamport above what is paid'),
  },
  {
    ours: `${P}_no_transfer_instruction`,
    official: 'goes on',
    why: "A transfer is one TransferChecked of the mint's own token program with four accounts: no multisig, no extra byte.",
    example: trick('a transfer with a byte too many'),
  },
  {
    ours: `${P}_transaction_fee_payer_transferring_funds`,
    official: 'goes on',
    why: 'No instruction may name a fee payer of ours, as the specification says. The official code checks only the transfer.',
    example: trick('a memo that the fee payer would sign'),
  },
  {
    ours: `${P}_mint_mismatch`,
    official: 'goes on',
    why: 'A mint has one number of decimals: a transfer with another fails on the chain.',
    example: trick('other decimals'),
  },
  {
    ours: `${P}_memo_mismatch`,
    official: 'goes on',
    why: 'We compare a memo byte for byte. The official one decodes invalid bytes and drops an invisible mark.',
    example: trick('a memo with a mark in front that is not shown'),
  },
]
