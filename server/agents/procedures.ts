import { z } from 'zod'
import { knownNetwork, knownNetworks } from '../http/schemas'
import { router, walletProcedure } from '../trpc/context'
import { environments } from '../x402/networks/networks'
import { balanceOf } from './credits'
import { AGENT_KEYS_MAX, anotherAgentKey, configureAgent, revokeOwnKey } from './keys'
import { presentBalance } from './present'
import { partsOfTransfer } from './purchase-payment'

const settings = z
  .object({
    historyEnabled: z.boolean().optional(),
    allowedNetworks: knownNetworks.optional(),
  })
  .transform(({ historyEnabled, allowedNetworks }) => ({
    ...(historyEnabled === undefined ? {} : { historyEnabled }),
    ...(allowedNetworks === undefined ? {} : { allowedNetworks }),
  }))

/** The credits, keys, networks and history of a wallet's agent. */
export const agent = router({
  balance: walletProcedure.input(z.object({ environment: z.enum(environments).optional() })).query(async ({ ctx, input }) => {
    const balance = await balanceOf(ctx.app, ctx.wallet, input.environment ?? null)
    return { ...presentBalance(balance), mostKeys: AGENT_KEYS_MAX }
  }),
  /** The parts of a Solana transfer, because the browser has no RPC endpoint. */
  solanaTransfer: walletProcedure
    .input(z.object({ network: knownNetwork }))
    .query(({ ctx, input }) => partsOfTransfer(ctx.app, ctx.wallet, input.network)),
  configure: walletProcedure.input(settings).mutation(async ({ ctx, input }) => {
    const [{ historyEnabled, allowedNetworks }] = await configureAgent(ctx.app, ctx.wallet, input)
    return { historyEnabled, allowedNetworks }
  }),
  createKey: walletProcedure.mutation(async ({ ctx }) => {
    const { secret } = await anotherAgentKey(ctx.app, ctx.wallet)
    return { secret, url: `${ctx.app.config.baseUrl}/v1/${secret}` }
  }),
  revokeKey: walletProcedure.input(z.object({ id: z.uuid() })).mutation(async ({ ctx, input }) => {
    await revokeOwnKey(ctx.app, ctx.wallet, input.id)
    return { id: input.id }
  }),
})
