import { scrub } from '../base/log'

/** Why the service cannot start, in one line; failures that the operator can fix have their own text. */
export function whyNotStarted(error: unknown, port: number): string {
  return explain(error, port) ?? `the service cannot start: ${reasonsOf(error)}`
}

const LISTENING: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) => `port ${port} is taken by another program; stop it or set PORT to a free one`,
  EACCES: (port) => `port ${port} may not be opened by this user; set PORT to one above 1023`,
}

function explain(error: unknown, port: number): string | undefined {
  if (!(error instanceof Error)) return undefined
  // File errors have the same codes as port errors.
  const { code, syscall }: NodeJS.ErrnoException = error
  if (syscall === 'listen') return LISTENING[code ?? '']?.(port)
  return error.message.includes('production build') ? 'there is no build yet; run npm run build' : undefined
}

// URLs may hold passwords and are left out.
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return scrub(String(error))
  const own = scrub(error.message || error.name)
  return error.cause === undefined ? own : `${own} (${reasonsOf(error.cause)})`
}
