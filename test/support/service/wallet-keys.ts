import { createWalletKey, listWalletKeysOf, revokeKeyOfWallet } from '../../../server/accounts/wallet-endpoints'
import type { App } from '../../../server/app'
import { asked, documentedAnswer } from './history'

type Headers = Record<string, string>

/** A wallet's key as the API lists it. */
type ListedKey = {
  id: string
  prefix: string
  plan: string
  name: string
  pay_to: string | null
  allowed_networks: string[] | null
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

/** A wallet's new key as the API sends it. */
type MadeKey = { api_key: string; key_id: string; endpoint: string; pay_to: string; plan: string }

/** The routes of a wallet's keys, called with a credential. */
export function walletKeysOf(app: App) {
  const create = (headers: Headers, { body, ip }: { body?: unknown; ip?: string } = {}) =>
    documentedAnswer(
      'POST /api/v1/keys',
      createWalletKey.handle(app, asked('/', { method: 'POST', headers, body, ...(ip === undefined ? {} : { ip }) })),
    )
  return {
    create,
    list: (headers: Headers) => documentedAnswer('GET /api/v1/keys', listWalletKeysOf.handle(app, asked('/', { headers }))),
    revoke: (headers: Headers, id: string) =>
      documentedAnswer(
        'DELETE /api/v1/keys/:id',
        revokeKeyOfWallet.handle(app, asked('/', { method: 'DELETE', headers }), { id }),
      ),
    /** The key of a 201. Throws for any other answer. */
    made: async (headers: Headers, name = ''): Promise<MadeKey> => {
      const { status, body } = await create(headers, { body: { name } })
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body as MadeKey
    },
    /** The keys of a 200. Throws for any other answer. */
    listed: async (headers: Headers): Promise<ListedKey[]> => {
      const answer = await documentedAnswer('GET /api/v1/keys', listWalletKeysOf.handle(app, asked('/', { headers })))
      if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`)
      return (answer.body as { keys: ListedKey[] }).keys
    },
  }
}
