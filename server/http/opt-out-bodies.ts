import { z } from 'zod'
import { allowedNetworks } from './admin-bodies'
import { expected } from './checked'

const historyEnabled = z
  .boolean(expected('true or false'))
  .meta({ description: 'False keeps settlements from now on out of history, catalog, agents and analytics.', examples: [false] })

/** The body of `PATCH /api/me/tenants/:id`. Left out it is true. */
export const merchantChanges = z.strictObject({ history_enabled: historyEnabled.default(true) }, expected('a JSON object'))

/** The body of `PATCH /api/v1/agent/config`. */
export const agentChanges = z
  .strictObject(
    { history_enabled: historyEnabled.optional(), allowed_networks: allowedNetworks.optional() },
    expected('a JSON object'),
  )
  .transform(({ history_enabled, allowed_networks }) => {
    // Who names networks alone does not speak of history; who names nothing leaves it out.
    if (allowed_networks === undefined) return { historyEnabled: history_enabled ?? true }
    return { allowedNetworks: allowed_networks, ...(history_enabled === undefined ? {} : { historyEnabled: history_enabled }) }
  })
