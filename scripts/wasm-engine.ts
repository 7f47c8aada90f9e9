import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'

export type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm'

/** Opens a database for the schema engine. */
type EngineFactory = SqlMigrationAwareDriverAdapterFactory

let panicMessage: string | undefined
let compiled: Promise<void> | undefined

/** Prisma's own schema engine (its WASM build, from npm), working through a driver adapter: nothing is downloaded. */
export async function openSchemaEngine(factory: EngineFactory, datamodels?: [string, string][]): Promise<SchemaEngine> {
  compiled ??= compile()
  await compiled
  return glue.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

/** The engine's panic message, if it panicked: the thrown error is only a WASM trap. */
export const enginePanic = (): string | undefined => panicMessage

type EngineOptions = {
  /** Opens the throw-away database that `migrate dev` compares against. */
  shadow?: () => Promise<SqlDriverAdapter>
  /** SQL added to every script the engine runs, inside the same implicit transaction. */
  afterScript?: string
}

/** The PostgreSQL adapter as the schema engine needs it. The caller ends the pool, which must have a single connection. */
export function postgresForEngine(pool: pg.Pool, { shadow = noShadow, afterScript = '' }: EngineOptions = {}): EngineFactory {
  const factory = new PrismaPg(pool)
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => adaptForEngine(await factory.connect(), async (script) => void (await pool.query(script + afterScript))),
    connectToShadowDb: shadow,
  }
}

/** Gives an adapter what the engine needs: catalog column types, and scripts that run whole instead of cut at each `;`. */
export function adaptForEngine(adapter: SqlDriverAdapter, runScript: (script: string) => Promise<void>): SqlDriverAdapter {
  const { onError } = internals(adapter)
  const startTransaction = adapter.startTransaction.bind(adapter)
  readCatalogTypes(adapter)
  adapter.startTransaction = async (isolation) => readCatalogTypes(await startTransaction(isolation))
  adapter.executeScript = (script) => runScript(script).catch((error: unknown) => onError.call(adapter, error))
  return adapter
}

const noShadow = (): Promise<SqlDriverAdapter> => Promise.reject(new Error('no shadow database outside development'))

async function compile(): Promise<void> {
  const panics = { set_message: (message: string) => (panicMessage = message) }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: panics })
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm')
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': imports() })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
}

/** The glue module is the import object of its own WASM, which its types do not show. */
const imports = (): WebAssembly.ModuleImports => glue as unknown as WebAssembly.ModuleImports

type RawResult = { fields?: { dataTypeID: number }[]; rows: unknown[][] }
type Internals = { performIO(query: SqlQuery): Promise<RawResult>; onError(error: unknown): never }

/** Both adapters of Prisma are built on these two methods, which their types call private; versions are pinned. */
const internals = (queryable: object): Internals => queryable as Internals

const CHAR = 18
// Read as text: name, int2vector, regproc, oidvector, and arrays of "char" and name.
const AS_TEXT: Record<number, number> = { [CHAR]: 25, 19: 25, 22: 25, 24: 25, 30: 25, 194: 25, 1002: 1009, 1003: 1009 }

function readCatalogTypes<T extends { queryRaw(query: SqlQuery): Promise<SqlResultSet> }>(queryable: T): T {
  const inner = internals(queryable)
  const performIO = inner.performIO.bind(queryable)
  const queryRaw = queryable.queryRaw.bind(queryable)
  const charsOf = new WeakMap<unknown[][], number[]>()
  inner.performIO = async (query) => {
    const result = await performIO(query)
    const fields = result.fields ?? []
    charsOf.set(
      result.rows,
      fields.flatMap((field, index) => (field.dataTypeID === CHAR ? [index] : [])),
    )
    for (const field of fields) field.dataTypeID = AS_TEXT[field.dataTypeID] ?? field.dataTypeID
    return result
  }
  queryable.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const index of charsOf.get(result.rows) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character
    return result
  }
  return queryable
}
