import { bootstrapTypeScript } from './bootstrap.mjs'
import { ensurePostgres, ensureRedis } from './install.mjs'
import { main } from './steps.mjs'

// Runs a program of `bench/` (bench/README.md): `node scripts/bench.mjs scale 5000 6000`.
const PROGRAMS = ['main', 'gas', 'scale', 'reading', 'statements', 'soak', 'channels', 'vouchers', 'http-server']

await main(async () => {
  // The program reads the arguments after its name as its own.
  const [name = ''] = process.argv.splice(2, 1)
  if (!PROGRAMS.includes(name)) throw new Error(`node scripts/bench.mjs <${PROGRAMS.join(' | ')}> [arguments]`)
  await bootstrapTypeScript()
  await ensurePostgres()
  if (name === 'scale') await ensureRedis()
  await import(`../bench/${name}.ts`)
})
