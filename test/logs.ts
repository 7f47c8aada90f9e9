import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { LOGS, SECRETS } from '../scripts/secrets.mjs'
import { createLog, type Log } from '../server/log'

let own: Log | undefined

/** The log of services inside this process: everything they say, unredacted, kept in a file that `scripts/secrets.mjs` reads. */
export function testLog(): Log {
  own ??= createLog('trace', { redact: false, destination: logFile() })
  return own
}

/** Keeps what a service process prints on one of its streams, as it comes. */
export function keepOutput(stream: NodeJS.ReadableStream | null, name: string): void {
  mkdirSync(LOGS, { recursive: true })
  stream?.on('data', (piece: Uint8Array) => appendFileSync(path.join(LOGS, `${name}.log`), piece))
}

// Every variable of the service whose value nobody may read in a log; `server/env.ts` has them all.
const SECRET_VARIABLE =
  /(?:_SIGNER_KEYS|_RPC_URL|_API_KEY)$|^(?:ADMIN_KEY|AUTH_SECRET|OIDC_CLIENT_SECRET|(?:MIGRATION_)?DATABASE_URL|REDIS_URL|REMOTE_[A-Z]+_(?:URL|TOKEN)|OTEL_EXPORTER_OTLP_[A-Z_]+)$/

/** Notes the secrets a service is started with, for `scripts/secrets.mjs` to search the logs for. */
export function keepSecrets(env: Record<string, string>): void {
  const values = Object.entries(env).flatMap(([name, value]) => (SECRET_VARIABLE.test(name) ? value.split(',') : []))
  const lines = values.map((value) => `${value.trim()}\n`).filter((line) => line !== '\n')
  mkdirSync(path.dirname(SECRETS), { recursive: true })
  appendFileSync(SECRETS, lines.join(''), { mode: 0o600 })
}

// Written at once: the process may be ended without warning, and no test may wait for its log.
function logFile(): pino.DestinationStream {
  const file = pino.destination({ dest: path.join(LOGS, `worker-${process.pid}.log`), mkdir: true, sync: true })
  return file.on('error', () => {})
}
