import { z } from 'zod'
import { component } from './component'
import { address, networkId, networkName } from './words'

const kind = z.strictObject({
  x402Version: z.union([z.literal(1), z.literal(2)]),
  scheme: z.literal('exact'),
  network: networkName.describe('The CAIP-2 id in version 2, the short name in version 1.'),
  extra: z
    .strictObject({ feePayer: address })
    .optional()
    .describe('Solana: who pays the fee. Merchants put it into their requirements.'),
})

const asset = z.strictObject({
  network: networkId,
  asset: address.meta({ description: 'The token.', examples: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'] }),
  symbol: z.literal('USDC'),
  decimals: z.literal(6),
  name: z
    .string()
    .optional()
    .meta({ description: 'EVM: the name in its EIP-712 domain.', examples: ['USDC'] }),
  version: z
    .string()
    .optional()
    .meta({ description: 'EVM: its version.', examples: ['2'] }),
})

/** What this facilitator settles. */
export const supported = component(
  'Supported',
  z
    .strictObject({
      kinds: z.array(kind).describe('Every pair of version and network.'),
      extensions: z.array(z.string().meta({ examples: ['bazaar'] })),
      signers: z.record(z.string(), z.array(address)).meta({
        description: 'Who sends transactions, by family.',
        examples: [{ 'eip155:*': ['0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'] }],
      }),
      assets: z.array(asset).describe('The one token of each network, with what signing it needs.'),
    })
    .describe('What this caller can have settled. Temporary trouble never removes anything.'),
)
