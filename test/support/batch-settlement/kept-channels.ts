import { randomUUID } from 'node:crypto'
import type { Hex, LocalAccount } from 'viem'
import type { App } from '../../../server/app'
import { deleteChannel, getChannel, listChannels, putChannel } from '../../../server/payments/channels/endpoints'
import { documented } from '../service/documented'
import type { Answer } from '../service/surface'
import { type ChannelConfig, channelIdOf, signVoucher } from './channels'

type Json = Record<string, unknown>
type Condition = { tag?: string | null; mutation?: string }

/** The storage of channels below a key, on one network. */
export function keptChannels(app: App, key: string, network = 'eip155:84532') {
  const ask = async (
    method: string,
    { handle }: typeof getChannel,
    id: string | null,
    { tag, mutation = randomUUID(), body, query = '' }: Condition & { body?: unknown; query?: string } = {},
  ): Promise<Answer> => {
    const condition: Record<string, string> =
      tag === undefined ? {} : tag === null ? { 'if-none-match': '*' } : { 'if-match': tag }
    const request = new Request(`http://quittance.test/${query}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-quittance-client-ip': '10.9.9.9',
        'idempotency-key': mutation,
        ...condition,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = await handle(app, request, { key, network, ...(id === null ? {} : { id }) })
    const address = `/v1/:key/channels/:network${id === null ? '' : '/:id'}`
    return documented(`${method} ${address}`, { status: response.status, headers: response.headers, body: await response.json() })
  }
  return {
    get: (id: string) => ask('GET', getChannel, id),
    put: (id: string, body: unknown, condition: Condition) => ask('PUT', putChannel, id, { ...condition, body }),
    remove: (id: string, condition: Condition) => ask('DELETE', deleteChannel, id, condition),
    list: (query: Json = {}) =>
      ask('GET', listChannels, null, { query: `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}` }),
  }
}

/** A channel's row as the official server writes it: a voucher over `signed`, of which `charged` is charged. */
export async function rowOf(
  config: ChannelConfig,
  signer: LocalAccount,
  { signed, charged, chainId = 84532, pendingId }: { signed: bigint; charged: bigint; chainId?: number; pendingId?: string },
) {
  const channelId: Hex = channelIdOf(chainId, config)
  return {
    channelId,
    channelConfig: config,
    chargedCumulativeAmount: String(charged),
    signedMaxClaimable: String(signed),
    signature: await signVoucher(chainId, signer, channelId, signed),
    balance: '123456789',
    totalClaimed: '99',
    withdrawRequestedAt: 0,
    refundNonce: 7,
    onchainSyncedAt: Date.now(),
    lastRequestTimestamp: Date.now(),
    ...(pendingId ? { pendingRequest: { pendingId, signedMaxClaimable: String(signed), expiresAt: Date.now() + 60_000 } } : {}),
  }
}
