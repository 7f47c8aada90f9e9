import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../database/database'
import { until } from '../until'
import { startServiceProcess } from './process'

test('a service that never prints the awaited text is killed, and its start fails', async () => {
  const database = await freshDatabase()
  try {
    const sessions = () =>
      database.db.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_stat_activity WHERE "datname" = current_database() AND "application_name" = 'quittance-listen'`
    const started = startServiceProcess({ DATABASE_URL: database.url }, 'what it never says', 10_000)
    await expect(started).rejects.toThrow('in vain for the service to say what it never says')
    await until(async () => (await sessions()).length === 0, 'its sessions to end')
  } finally {
    await database.close()
  }
})

test('a service that never gets as far as to listen is killed too, and its start fails', async () => {
  const clients: Socket[] = []
  // A database that accepts connections and says nothing.
  const silent = createServer((client) => clients.push(client.on('error', () => {}).resume())).listen(0, '127.0.0.1')
  onTestFinished(() => {
    silent.close()
  })
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const url = `postgresql://one@127.0.0.1:${port}/none`
  await expect(startServiceProcess({ DATABASE_URL: url }, '', 10_000)).rejects.toThrow('in vain for the service to say')
  await until(() => clients.every(({ closed }) => closed), 'its connections to end')
})
