import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { revokedKey } from '../accounts/key-schemas'
import { endpointsOf } from '../accounts/present'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { walletCredentials } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { environments } from '../x402/networks/networks'
import { balanceOf } from './credits'
import { anotherAgentKey, configureAgent, noKey, revokeOwnKey } from './keys'
import { wireBalance, wireConfig } from './present'
import { agentChanges, agentConfig, agentKey, balance } from './schemas'

const shared = { tag: 'Agents', cors: 'open', rate: signedInRate } as const

/** A wallet's remaining and used credits, and its keys without secrets. */
export const getBalance = endpoint({
  ...shared,
  id: 'getBalance',
  summary: 'Show remaining credits',
  description: 'All zeros for a wallet that never bought credits.',
  credentials: walletCredentials,
  query: z.object({
    environment: z
      .enum(environments, `must be ${environments.join(' or ')}`)
      .optional()
      .meta({ description: 'The environment of the credits. Default: mainnet if the wallet bought credits there.' }),
  }),
  responses: { 200: { description: 'The balance.', schema: balance } },
  errors: [400, 401, 429, 503],
  handler: async ({ app, who: wallet, query }) => wireBalance(wallet, await balanceOf(app, wallet, query.environment ?? null)),
})

/** Gives another key to a wallet that has bought credits, for example after it lost its key. */
export const createAgentKey = endpoint({
  ...shared,
  id: 'createAgentKey',
  summary: 'Get another key',
  description: 'For a wallet that bought credits and lost its key. No body. 404 before the first purchase.',
  credentials: walletCredentials,
  responses: { 201: { description: 'A new key.', schema: agentKey } },
  errors: [401, 403, 404, 413, 429, 503],
  async handler({ app, request, who: wallet }) {
    await readBytes(request, DEFAULT_BODY_LIMIT)
    const { id, prefix, secret } = await anotherAgentKey(app, wallet)
    const names = { api_key: secret, key_id: id, prefix, ...endpointsOf(app, secret) }
    return { ...names, wallet: displayAddress(wallet), plan: 'agent' as const }
  },
})

/** Revokes one of the wallet's keys. */
export const revokeAgentKey = endpoint({
  ...shared,
  id: 'revokeAgentKey',
  summary: 'Revoke a key',
  description: 'The key stops working at once.',
  credentials: walletCredentials,
  params: z.object({
    id: z.guid().meta({ description: 'The `key_id`.', examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
  }),
  unknownId: noKey,
  responses: { 200: { description: 'Revoked.', schema: revokedKey } },
  errors: [401, 404, 413, 429, 503],
  async handler({ app, who: wallet, params: { id } }) {
    await revokeOwnKey(app, wallet, id)
    return { id, revoked: true as const }
  },
})

/** Changes history and networks of all keys that the wallet owns. */
export const changeAgentConfig = endpoint({
  ...shared,
  id: 'changeAgentConfig',
  summary: "Change the networks and the history of a wallet's keys",
  description:
    'Applies to later settlements of all live keys. Networks alone leave history unchanged; an empty object switches history on. 404 before the first key.',
  credentials: walletCredentials,
  body: agentChanges,
  responses: { 200: { description: 'The settings as they are now.', schema: agentConfig } },
  errors: [400, 401, 404, 413, 429, 503],
  handler: async ({ app, who: wallet, body }) => wireConfig(wallet, await configureAgent(app, wallet, body)),
})
