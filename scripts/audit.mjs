import { startChild } from './children.mjs'
import { npm, root } from './steps.mjs'

const ARGS = ['audit', '--omit=dev', '--json', '--audit=true', '--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/**
 * Queries npm's registry for known vulnerabilities of the production packages.
 * @returns {Promise<{ answered: boolean, grave: string[] }>}
 */
export async function audit() {
  const [command, args] = npm(ARGS)
  const child = startChild(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
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
 * Reads npm's report: one line per high or critical finding. Without a usable report `answered` is false.
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
