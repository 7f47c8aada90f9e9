import type { QueryClient } from '@tanstack/react-query'
import { codeOf } from './errors'

/** Reads the session again if an error says that it may have ended. A missing one leads to the sign-in page and back. */
export function noticeSessionEnd(queries: QueryClient, error: unknown): void {
  if (codeOf(error) === 'UNAUTHORIZED') void queries.invalidateQueries({ queryKey: [['session']] })
}
