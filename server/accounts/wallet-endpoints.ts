import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { idInPath } from '../http/schemas'
import { walletCredentials } from '../sign-in/credentials'
import { signedInRate } from './caller'
import { newWalletKey, revokedKey, walletKeyChoice, walletKeys } from './key-schemas'
import { makeOwnKey } from './own-keys'
import { wireNewWalletKey, wireWalletKey } from './present'
import { listWalletKeys, noWalletKey, ofWallet, revokeWalletKey } from './wallet-keys'

const shared = { tag: 'Keys', cors: 'open', rate: signedInRate, credentials: walletCredentials } as const

/** Gives a free key to a caller who proves the wallet that it pays. */
export const createWalletKey = endpoint({
  ...shared,
  id: 'createWalletKey',
  summary: 'Get a key for your wallet',
  description:
    'The key has the plan `free` and pays only the wallet that signed, on the networks of its family. Keys of one wallet share its monthly quota. At most 10 live keys; 409 beyond.',
  body: walletKeyChoice,
  responses: { 201: { description: 'A new key.', schema: newWalletKey } },
  errors: [400, 401, 403, 409, 413, 429, 503],
  async handler({ app, request, who: wallet, body: { name } }) {
    const made = await makeOwnKey(app, { owner: ofWallet(wallet), ip: clientIp(request) }, { name })
    return wireNewWalletKey(app, made)
  },
})

/** The keys of a wallet, without their secrets. */
export const listWalletKeysOf = endpoint({
  ...shared,
  id: 'listWalletKeys',
  summary: "List your wallet's keys",
  description: 'All live keys and the last revoked ones. `plan` is `agent` for keys that spend credits.',
  responses: { 200: { description: 'The keys.', schema: walletKeys } },
  errors: [401, 429, 503],
  handler: async ({ app, who: wallet }) => ({ keys: (await listWalletKeys(app, wallet)).map(wireWalletKey) }),
})

/** Revokes a key of a wallet. */
export const revokeKeyOfWallet = endpoint({
  ...shared,
  id: 'revokeWalletKey',
  summary: 'Revoke a key of your wallet',
  description: 'The key stops working at once, with the earlier secrets of a rotated one.',
  params: idInPath('key'),
  unknownId: noWalletKey,
  responses: { 200: { description: 'Revoked.', schema: revokedKey } },
  errors: [401, 404, 413, 429, 503],
  async handler({ app, who: wallet, params: { id } }) {
    await revokeWalletKey(app, wallet, id)
    return { id, revoked: true as const }
  },
})
