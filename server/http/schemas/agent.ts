import { z } from 'zod'
import { component } from './component'
import { allowedNetworks, ownTenant } from './tenant'
import { address } from './words'

/** What a wallet has set for its keys. */
export const agentConfig = component(
  'AgentConfig',
  z
    .strictObject({
      wallet: address,
      history_enabled: z.boolean().meta({ examples: [true] }),
      allowed_networks: allowedNetworks,
      tenants: z.array(ownTenant).describe('Each of the wallet’s keys, newest first.'),
    })
    .describe('The settings of the wallet’s newest key, and of each.'),
)
