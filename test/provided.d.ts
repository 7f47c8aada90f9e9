import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL, up to the database name. */
    postgres: string
    /** Where the first test that needs one leaves a migrated embedded database to copy. */
    embedded: string
  }
}
