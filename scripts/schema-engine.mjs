#!/usr/bin/env node
// Replaces Prisma's native `schema-engine` binary, which is normally downloaded. It speaks the binary's JSON-RPC over
// standard input and output and hands each call to the WASM build of the same engine. prisma.config.ts points Prisma here.
import { readFileSync } from 'node:fs'
import readline from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { register } from 'tsx/esm/api'

// To optimize WebAssembly takes longer than all that this process does.
setFlagsFromString('--liftoff-only')
register()
const { adaptForEngine, enginePanic, openSchemaEngine, postgresForEngine } = await import('./wasm-engine.ts')

const args = process.argv.slice(2)
const valuesOf = (name) => args.flatMap((arg, index) => (arg === name ? [args[index + 1]] : []))
const { url } = JSON.parse(valuesOf('--datasource')[0] ?? '{}')

if (args.includes('--version')) console.log('schema-engine-cli wasm')
else if (args.includes('cli')) await command(args[args.indexOf('cli') + 1])
else serve()

/** A temporary in-memory PostgreSQL. `migrate dev` compares against it, so the user needs no right to create databases. */
async function shadow() {
  const database = new PGlite()
  const adapter = await new PrismaPGlite(database).connect()
  adapter.dispose = () => database.close()
  return adaptForEngine(adapter, async (script) => void (await database.exec(script)))
}

/** `prisma migrate diff` between files names no database, so it runs on a temporary one. */
const throwAway = { provider: 'postgres', adapterName: 'pglite', connect: shadow, connectToShadowDb: shadow }

const onDatabase = () => postgresForEngine(new pg.Pool({ connectionString: url, max: 1 }), { shadow })

function openEngine() {
  const datamodels = valuesOf('--datamodels').map((file) => [file, readFileSync(file, 'utf8')])
  return openSchemaEngine(url ? onDatabase() : throwAway, datamodels.length ? datamodels : undefined)
}

function serve() {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const prints = new Map()
  let engine
  let queue = Promise.resolve()

  // A panic inside the engine arrives as an uncaught exception.
  process.on('uncaughtException', (error) => {
    process.stderr.write(
      `${JSON.stringify({ level: 'ERROR', fields: { message: enginePanic() ?? String(error?.stack ?? error) } })}\n`,
    )
    process.exit(101)
  })

  async function print(content) {
    const id = prints.size + 1
    await new Promise((printed) => {
      prints.set(id, printed)
      send({ id, method: 'print', params: { content } })
    })
  }

  async function call(method, params) {
    engine ??= await openEngine()
    if (method === 'getDatabaseVersion') return engine.version()
    if (method === 'createDatabase') return { databaseName: databaseOf(new URL(url)) }
    const result = (await engine[method](params)) ?? {}
    if (method !== 'diff' || result.stdout == null) return result
    await print(result.stdout)
    return { exitCode: result.exitCode }
  }

  async function answer({ id, method, params }) {
    try {
      send({ id, result: await call(method, params) })
    } catch (error) {
      const panic = enginePanic()
      const data = { is_panic: Boolean(panic), message: panic ?? error.message, error_code: error.code ?? null, meta: {} }
      send({ id, error: { code: 4466, message: 'An error happened. Check the data field for details.', data } })
    }
  }

  readline
    .createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line)
      if (message.method) queue = queue.then(() => answer(message))
      else prints.get(message.id)?.()
    })
    .on('close', () => queue.then(() => process.exit(0)))
}

/** The binary's `cli` commands: can-connect-to-database, create-database, drop-database. */
async function command(name) {
  const target = new URL(url)
  const database = `"${databaseOf(target).replaceAll('"', '""')}"`
  if (name !== 'can-connect-to-database') target.pathname = '/postgres'
  const client = new pg.Client({ connectionString: target.href })
  try {
    await client.connect()
    if (name === 'create-database') await client.query(`CREATE DATABASE ${database}`)
    if (name === 'drop-database') await client.query(`DROP DATABASE IF EXISTS ${database}`)
    await client.end()
    process.exit(0)
  } catch (error) {
    const code = error.code === '3D000' ? 'P1003' : error.code?.startsWith('28') ? 'P1000' : 'P1001'
    const fields = { message: error.message || String(error.code), error_code: code }
    // Prisma skips the first line.
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`)
    process.exit(1)
  }
}

function databaseOf(address) {
  return decodeURIComponent(address.pathname.slice(1))
}
