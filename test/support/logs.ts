import { appendFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { LOGS, SECRETS } from '../../scripts/secrets.mjs'
import { createLog, type Log } from '../../server/base/log'

let own: Log | undefined

/** The log of services in this process: every line, unredacted, in a file that `scripts/secrets.mjs` reads. */
export function testLog(): Log {
  own ??= createLog('trace', { redact: false, destination: logFile() })
  return own
}

/** Writes a stream of a service process to its log file. */
export function keepOutput(stream: NodeJS.ReadableStream | null, name: string): void {
  mkdirSync(LOGS, { recursive: true })
  stream?.on('data', (piece: Uint8Array) => appendFileSync(path.join(LOGS, `${name}.log`), piece))
}

// The secret variables of `server/env/env.ts`: no log may contain their values.
const SECRET_VARIABLE =
  /(?:_SIGNER_KEYS|_RPC_URL|_API_KEY)$|^(?:ADMIN_KEY|AUTH_SECRET|OIDC_CLIENT_SECRET|(?:MIGRATION_)?DATABASE_URL|REDIS_URL|REMOTE_[A-Z]+_(?:URL|TOKEN)|OTEL_EXPORTER_OTLP_[A-Z_]+)$/

/** Records a service's secrets; `scripts/secrets.mjs` searches the logs for them. */
export function keepSecrets(env: Record<string, string>): void {
  const values = Object.entries(env).flatMap(([name, value]) => (SECRET_VARIABLE.test(name) ? value.split(',') : []))
  const lines = values.map((value) => `${value.trim()}\n`).filter((line) => line !== '\n')
  mkdirSync(path.dirname(SECRETS), { recursive: true })
  appendFileSync(SECRETS, lines.join(''), { mode: 0o600 })
}

// Written synchronously, because the process may be killed at any time.
function logFile(): pino.DestinationStream {
  const file = pino.destination({ dest: path.join(LOGS, `worker-${process.pid}.log`), mkdir: true, sync: true })
  return file.on('error', () => {})
}
