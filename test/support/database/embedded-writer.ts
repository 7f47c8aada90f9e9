import { connect } from '../../../server/db/database'
import { EMBEDDED_LIMITS, openEmbedded } from '../../../server/db/embedded'

// Writes rows to the embedded database and prints each acknowledged row, until a test kills it.
const [folder = '', run = ''] = process.argv.slice(2)
const embedded = await openEmbedded(folder, { warn: () => {} })
const { db } = connect({ url: embedded.url, ...EMBEDDED_LIMITS })
await db.$executeRaw`CREATE TABLE IF NOT EXISTS "Written" (id text PRIMARY KEY, filler text)`

await Promise.all(
  Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; ; count++) {
      const id = `${run}-${writer}-${count}`
      await db.$executeRaw`INSERT INTO "Written" VALUES (${id}, ${'x'.repeat(count % 500)})`
      process.stdout.write(`${id}\n`)
    }
  }),
)
