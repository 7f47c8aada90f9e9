import { randomUUID } from 'node:crypto'
import type { Prisma } from '../generated/prisma/client'
import type { Db } from '../server/db/database'
import { webhookEvents } from '../server/ledger/states'
import { mintSecret, sealSecret } from '../server/webhooks/messages'

/** An endpoint that was made past the procedures, with its secret. */
export type MadeEndpoint = { id: string; secret: string }

type Data = Partial<Prisma.WebhookEndpointUncheckedCreateInput> & { url: string; ownerId: string }

/** Writes an endpoint that hears of everything; fields can be overridden. */
export async function newEndpoint(db: Db, key: Uint8Array, data: Data): Promise<MadeEndpoint> {
  const [id, secret] = [randomUUID(), mintSecret()]
  const sealed = sealSecret(key, id, secret)
  await db.webhookEndpoint.create({ data: { id, ownerKind: 'oidc', events: [...webhookEvents], secret: sealed, ...data } })
  return { id, secret }
}

/** Writes a delivery that is due; fields can be overridden. */
export async function newDelivery(
  db: Db,
  endpointId: string,
  ownerId: string,
  data: Partial<Prisma.WebhookDeliveryUncheckedCreateInput> = {},
): Promise<string> {
  const until = new Date(Date.now() + 24 * 3_600_000)
  const { id } = await db.webhookDelivery.create({
    data: {
      ...{ id: randomUUID(), endpointId, ownerKind: 'oidc', ownerId, type: 'payment.settled', settlementId: randomUUID() },
      ...{ body: '{"type":"payment.settled"}', until, ...data },
    },
  })
  return id
}
