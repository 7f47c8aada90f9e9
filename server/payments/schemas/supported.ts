import { z } from 'zod'
import { address, component, count, decimals, networkId, networkName, symbol } from '../../http/schemas'
import { BATCH_SETTLEMENT } from '../../x402/schemes/batch-settlement/scheme'
import { USUAL_SCHEME } from '../../x402/schemes/scheme-names'
import { UPTO } from '../../x402/schemes/upto/scheme'
import { finality } from './response'

const seconds = z
  .number()
  .min(0)
  .meta({ examples: [2] })

/** What every kind may name beside what its scheme adds. */
const shared = {
  feePayer: address.optional().describe('Solana: who pays the fee. Merchants put it into their requirements.'),
  features: z
    .strictObject({ smartWalletSupported: z.literal(true) })
    .optional()
    .describe('Solana, version 2: payments of allowed smart wallets are taken.'),
  expiryMarginSeconds: count
    .optional()
    .describe('EVM, version 2: how long a payment must stay valid when it arrives. Choose a larger maxTimeoutSeconds.'),
  finality: z
    .strictObject({
      success: finality.describe('How certain a payment is when settle answers success here.'),
      confirmations: z.strictObject({ included: count, safe: count }).describe('Blocks that hold or follow the payment.'),
      expectedSeconds: z
        .strictObject({
          preconfirmed: seconds.optional(),
          included: seconds,
          safe: seconds,
          finalized: seconds,
        })
        .describe('From acceptance, by the usual blocks of the network.'),
    })
    .optional()
    .describe('Version 2: what a success means.'),
}

const network = networkName.describe('The CAIP-2 id in version 2, the short name in version 1.')

const exact = component(
  'SupportedExact',
  z
    .strictObject({
      x402Version: z.union([z.literal(1), z.literal(2)]).meta({ examples: [2] }),
      scheme: z.literal(USUAL_SCHEME),
      network,
      extra: z.strictObject(shared).optional(),
    })
    .describe('A transfer of exactly the amount.'),
)

const upto = component(
  'SupportedUpto',
  z
    .strictObject({
      x402Version: z.literal(2),
      scheme: z.literal(UPTO),
      network: networkId,
      extra: z.union([
        z.strictObject({
          facilitatorAddress: address.describe(
            'EVM: the only account that may send. Merchants put it into their requirements; it stays the same.',
          ),
          ...shared,
        }),
        z.strictObject({
          feePayer: address.describe(
            'Solana: who pays fee and rent. Merchants put it into their requirements; it stays the same.',
          ),
          receiverAuthorizer: address.describe('Solana: who consents to charges for this key. It stays the same.'),
        }),
      ]),
    })
    .describe(
      'The payer signs a maximum, the merchant charges what was used. On Solana below a key, if the operator has switched it on; there it was proven against an emulation of the program only.',
    ),
)

const batchSettlement = component(
  'SupportedBatchSettlement',
  z
    .strictObject({
      x402Version: z.literal(2),
      scheme: z.literal(BATCH_SETTLEMENT),
      network: networkId,
      extra: z.strictObject({
        receiverAuthorizer: address
          .optional()
          .describe('Below a key: who consents to claims and refunds. It stays the same. Absent: name your own.'),
        ...shared,
      }),
    })
    .describe('The payer deposits once and signs a voucher per request; the merchant claims them together. EVM.'),
)

const kind = z.discriminatedUnion('scheme', [exact, upto, batchSettlement])

const asset = z.strictObject({
  network: networkId,
  asset: address.meta({ description: 'The token.', examples: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'] }),
  symbol,
  decimals,
  name: z
    .string()
    .optional()
    .meta({ description: 'EVM: the name in its EIP-712 domain.', examples: ['USDC'] }),
  version: z
    .string()
    .optional()
    .meta({ description: 'EVM: its version.', examples: ['2'] }),
  assetTransferMethod: z
    .enum(['eip3009', 'permit2'])
    .optional()
    .meta({ description: 'EVM: how payers sign a transfer of it.', examples: ['eip3009'] }),
})

/** What this facilitator settles. */
export const supported = component(
  'Supported',
  z
    .strictObject({
      kinds: z.array(kind).describe('Every version, network and scheme.'),
      extensions: z
        .array(z.string().meta({ examples: ['bazaar', 'eip2612GasSponsoring'] }))
        .describe('Extensions of x402 that merchants may declare in their routes.'),
      signers: z.record(z.string(), z.array(address)).meta({
        description: 'Who sends transactions, by family.',
        examples: [{ 'eip155:*': ['0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'] }],
      }),
      assets: z.array(asset).describe('The tokens of each network, its USDC first, with what signing it needs.'),
    })
    .describe('What this caller can have settled. Temporary trouble never removes anything.'),
)
