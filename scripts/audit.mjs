import { spawn } from 'node:child_process'
import { npm, root } from './steps.mjs'

const ARGS = ['audit', '--omit=dev', '--json', '--audit=true', '--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/**
 * Asks npm's registry what is known against the packages that run in production.
 * @returns {Promise<{ answered: boolean, grave: string[] }>}
 */
export async function audit() {
  const [command, args] = npm(ARGS)
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  return readAudit(output)
}

/**
 * What a report of npm's says: each grave finding in a line. A registry that knows no audits, or is not there, has not answered.
 * @param {string} report
 * @returns {{ answered: boolean, grave: string[] }}
 */
export function readAudit(report) {
  const { error, metadata, vulnerabilities = {} } = parsed(report)
  if (error || !metadata?.vulnerabilities) return { answered: false, grave: [] }
  const grave = Object.values(vulnerabilities)
    .filter(({ severity }) => GRAVE.includes(severity))
    .map(({ name, severity, range, via = [] }) => {
      const titles = via.flatMap((reason) => (typeof reason === 'string' ? [`through ${reason}`] : [reason.title]))
      return `${severity}: ${name} ${range} (${titles.join('; ')})`
    })
  return { answered: true, grave }
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
