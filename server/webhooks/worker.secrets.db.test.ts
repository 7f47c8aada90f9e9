import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newDelivery } from '../../test/support/database/webhooks'
import { isSignedWith } from '../../test/support/service/webhook-receiver'
import { webhookWorkers } from '../../test/support/service/webhook-worker'
import { until } from '../../test/support/until'
import { mintSecret, sealSecret } from './messages'

const { database, key, start, aDelivery, rowOf, stateOf, tried } = webhookWorkers()

describe('secrets', () => {
  test('both sign while an earlier one is in its grace, and the new one alone afterwards', async () => {
    const { id, receiver, ownerId } = await aDelivery()
    const { id: endpointId, secret } = receiver.endpoint
    const newer = mintSecret()
    const rotated = { secret: sealSecret(key, endpointId, newer), earlier: sealSecret(key, endpointId, secret) }
    const data = { ...rotated, graceUntil: new Date(Date.now() + 60_000) }
    await database.db.webhookEndpoint.update({ where: { id: endpointId }, data })
    start()
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
    await database.db.webhookEndpoint.update({ where: { id: endpointId }, data: { graceUntil: new Date() } })
    const later = await newDelivery(database.db, endpointId, ownerId)
    await until(async () => (await stateOf(later)) === 'delivered', 'the later one to be delivered')
    const accepted = receiver.received.map((one) => Promise.all([newer, secret].map((each) => isSignedWith(each, one))))
    expect(await Promise.all(accepted)).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('that another AUTH_SECRET encrypted send nothing, and log why', async () => {
    const { id, receiver } = await aDelivery()
    const { lines } = start({ key: randomBytes(32) })
    await tried(id, 1)
    expect(receiver.received).toEqual([])
    expect(await rowOf(id)).toMatchObject({
      state: 'pending',
      lastError: 'its secret cannot be decrypted; rotate it',
    })
    expect(lines.join()).toContain('the secret of a webhook cannot be decrypted')
    expect(lines.join()).not.toContain(receiver.endpoint.secret)
  })
})

describe('a new secret', () => {
  test('signs at once when the previous one cannot be decrypted', async () => {
    const { id, receiver } = await aDelivery()
    const { id: endpointId, secret } = receiver.endpoint
    const newer = mintSecret()
    const rotated = { secret: sealSecret(key, endpointId, newer), earlier: sealSecret(randomBytes(32), endpointId, secret) }
    const data = { ...rotated, graceUntil: new Date(Date.now() + 60_000) }
    await database.db.webhookEndpoint.update({ where: { id: endpointId }, data })
    start()
    await until(async () => (await stateOf(id)) === 'delivered', 'it to be delivered')
    const [received] = receiver.received
    expect(received && (await isSignedWith(newer, received))).toBe(true)
  })
})
