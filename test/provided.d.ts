import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the run's PostgreSQL, up to the database name. */
    postgres: string
    /** The folder of the migrated embedded database that tests copy; the first one builds it. */
    embedded: string
  }
}
