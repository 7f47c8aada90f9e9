import { expect, test } from 'vitest'
import { freshDatabase } from './database'
import { until } from './harness'
import { startServiceProcess } from './process'

test('a service that never prints the awaited text is killed, and its start fails', async () => {
  const database = await freshDatabase()
  try {
    const sessions = () =>
      database.db.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "application_name" = 'quittance-listen'`
    const started = startServiceProcess({ DATABASE_URL: database.url }, 'what it never says', 10_000)
    const failed = expect(started).rejects.toThrow('in vain for the service to say what it never says')
    await until(async () => (await sessions()).length === 1, 'the service to be on its database')
    await failed
    await until(async () => (await sessions()).length === 0, 'its sessions to end')
  } finally {
    await database.close()
  }
})
