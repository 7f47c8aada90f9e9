import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { countingKeyring, newKey, watched } from '../../test/support/database/keyring'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { until } from '../../test/support/until'
import { createKeyring, mintKey } from './keyring'
import { createRateLimit } from './rate-limit'

const database = fixture(freshDatabase)

describe('a flood of guessed keys', () => {
  test('from one IP address is refused after 500 in a second, without the database', async () => {
    const { keyring, counts } = countingKeyring(database.db)
    const guess = () =>
      keyring.find(mintKey().secret, '10.9.0.1').then(
        () => 'unknown',
        (error: { message: string }) => error.message,
      )
    // All at once, so that a busy machine cannot spread them over several seconds.
    const said = await Promise.all(Array.from({ length: 700 }, guess))
    expect(said.filter((one) => one.startsWith('more than 500 requests per second')).length).toBeGreaterThan(0)
    expect(counts.read).toBeLessThan(700)
    expect(await keyring.find(mintKey().secret, '10.9.0.2')).toBeNull()
  })

  test('uses three connections at most, and a known key waits for none of them', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { secret } = await newKey(database.db)
    let flooding = false
    let reading = 0
    const keyring = createKeyring(
      watched(database.db, (statement) => {
        if (!flooding || statement !== 'read') return undefined
        reading++
        return held
      }),
      createRateLimit(),
      testLog(),
    )
    await keyring.find(secret, '10.9.0.3')
    flooding = true
    const flood = Array.from({ length: 60 }, (_, at) => keyring.find(mintKey().secret, `10.9.1.${at}`))
    await until(() => reading === 3, 'three guesses in progress')
    flooding = false
    expect(await keyring.find(secret, '10.9.0.3')).not.toBeNull()
    expect(reading).toBe(3)
    letGo()
    expect(await Promise.all(flood)).toEqual(Array(60).fill(null))
  })

  test('does not block a live key that this process has not seen, and needs few statements', async () => {
    let reading = 0
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const live = await Promise.all([1, 2, 3].map(() => newKey(database.db)))
    const keyring = createKeyring(
      watched(database.db, (statement) => {
        if (statement === 'read' && reading++ < 3) return held
      }),
      createRateLimit(),
      testLog(),
    )
    const flood = Array.from({ length: 2_000 }, (_, at) => keyring.find(mintKey().secret, `10.9.2.${at % 20}`))
    const found = live.map(({ secret }, at) => keyring.find(secret, `10.9.3.${at}`))
    await until(() => reading === 3, 'guesses in progress')
    letGo()
    expect((await Promise.all(found)).map((record) => record?.keyId)).toEqual(live.map(({ id }) => id))
    expect(await Promise.all(flood)).toEqual(Array(2_000).fill(null))
    expect(reading).toBeLessThan(20)
  })

  test('from one IP address fills only its own part of the queue', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const keyring = createKeyring(
      watched(database.db, () => held),
      createRateLimit(),
      testLog(),
    )
    const flood = Array.from({ length: 300 }, () =>
      keyring.find(mintKey().secret, '10.9.4.1').then(
        () => 'unknown',
        (error: { message: string }) => error.message,
      ),
    )
    const { secret, id } = await newKey(database.db)
    const found = keyring.find(secret, '10.9.4.2')
    letGo()
    expect((await found)?.keyId).toBe(id)
    const said = await Promise.all(flood)
    // Three of its guesses were in progress, 200 waited.
    expect(said.filter((one) => one.startsWith('too many unknown API keys'))).toHaveLength(97)
  })
})
