import path from 'node:path'
import { defineConfig } from 'prisma/config'

// Prisma's engines are a download; this stand-in runs the same engine from npm, so every command works offline.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, 'scripts/schema-engine.mjs')
process.env.CHECKPOINT_DISABLE ??= '1'

const url = process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
