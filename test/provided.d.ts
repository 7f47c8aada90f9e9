import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the run's PostgreSQL, up to the database name. */
    postgres: string
  }
}
