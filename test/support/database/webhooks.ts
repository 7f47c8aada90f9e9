import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../generated/prisma/client'
import type { Db } from '../../../server/db/database'
import { webhookEvents } from '../../../server/webhooks/events'
import { mintSecret, sealSecret } from '../../../server/webhooks/messages'

/** An endpoint written directly to the database, with its secret. */
type MadeEndpoint = { id: string; secret: string }

type Data = Partial<Prisma.WebhookEndpointUncheckedCreateInput> & { url: string; ownerId: string }

/** Writes an endpoint that gets every event; fields can be overridden. */
export async function newEndpoint(db: Db, key: Uint8Array, data: Data): Promise<MadeEndpoint> {
  const [id, secret] = [randomUUID(), mintSecret()]
  const encrypted = sealSecret(key, id, secret)
  await db.webhookEndpoint.create({ data: { id, ownerKind: 'oidc', events: [...webhookEvents], secret: encrypted, ...data } })
  return { id, secret }
}

/** Writes a due delivery; fields can be overridden. */
export async function newDelivery(
  db: Db,
  endpointId: string,
  ownerId: string,
  data: Partial<Prisma.WebhookDeliveryUncheckedCreateInput> = {},
): Promise<string> {
  const until = new Date(Date.now() + 24 * 3_600_000)
  const { id } = await db.webhookDelivery.create({
    data: {
      id: randomUUID(),
      endpointId,
      ownerKind: 'oidc',
      ownerId,
      type: 'payment.settled',
      settlementId: randomUUID(),
      body: '{"type":"payment.settled"}',
      until,
      ...data,
    },
  })
  return id
}
