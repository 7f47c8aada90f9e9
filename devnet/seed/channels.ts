import type pg from 'pg'
import { DAY_MS, HOUR_MS } from '../../server/base/durations'
import { mainAsset } from '../../server/x402/networks/networks'
import { BASE, seededTenants } from './history'
import { createRandom, hex, type Random } from './random'

/** Channels of the demo owner, and what their vouchers were charged. All were claimed and refunded: the local chains know none of them. */
export async function addChannels(client: pg.Client, now: Date): Promise<void> {
  const random = createRandom(44)
  const [tenant] = seededTenants
  if (!tenant) throw new Error('the demo owner has a tenant')
  const { address: token } = mainAsset(BASE)
  for (let at = 0; at < 12; at++) {
    // Usage and channels agree.
    const requests = 666 + at * 289
    const charged = String(requests * PRICE)
    const created = new Date(now.getTime() - (at * 2 + 1) * DAY_MS)
    const config = configOf(random, token)
    await client.query(
      `INSERT INTO "Channel" ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "charged", "presented", "balance",
         "claimed", "requests", "refundNonce", "stored", "version", "usedAt", "syncedBlock", "syncedAt", "createdAt")
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $8, $8, $11, 1, true, 1, $9, 1, $9, $10)`,
      [
        BASE,
        hex(random, 32),
        tenant.id,
        config,
        config.payer,
        config.receiver,
        token,
        charged,
        later(created),
        created,
        requests,
      ],
    )
    await client.query(
      'INSERT INTO "ChannelUsage" ("tenantId", "day", "network", "token", "requests", "charged") VALUES ($1, $2::date, $3, $4, $5, $6)',
      [tenant.id, created.toISOString().slice(0, 10), BASE, token, requests, charged],
    )
  }
}

/** What a request costs, atomic units. */
const PRICE = 60

const later = (created: Date): Date => new Date(created.getTime() + 20 * HOUR_MS)

function configOf(random: Random, token: string) {
  const payer = hex(random, 20)
  const receiver = '0x7a5c3d1e9b4f2a6c8d0e1f3b5a7c9d2e4f6a8b0c'
  const parties = { payer, payerAuthorizer: payer, receiver, receiverAuthorizer: receiver, token }
  return { ...parties, withdrawDelay: 900, salt: hex(random, 32) }
}
