import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { contentOf, root } from './steps.mjs'

/** The folder with every log line of the tests' services, unredacted. */
export const LOGS = join(root, 'test-results', 'logs')
/** The secrets of those services, one per line. */
export const SECRETS = join(root, 'test-results', 'secrets.txt')

// Repeated here, so that a mistake in the service's patterns cannot hide a secret.
const FORMS = [
  { what: 'an API key or session token', form: /(?:qt|st)(?:_|%5f)[\w-]{43}/i },
  { what: 'a bearer token', form: /\bbearer(?:\s|%20)+[\w.~+/=-]{8,}/i },
  { what: 'a JWT', form: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\./ },
  { what: 'a sign-in message', form: /wants you to sign in with your/i },
  {
    what: 'a path with a key',
    form: /(?<!\/api)\/v1\/(?!:|<API_KEY>|(?:flash\/)?(?:settle|verify|explain|supported|discovery\/(?:resources|search|report|skill))\b)[^\s"\\/]/i,
  },
]

/**
 * Every log line with a secret: its file, number and kind, never its text. `secrets` is the number of known secrets.
 * @param {string} folder
 * @param {string} secretsFile
 * @returns {{ lines: number, secrets: number, found: string[] }}
 */
export function findSecrets(folder = LOGS, secretsFile = SECRETS) {
  const secrets = new Set(contentOf(secretsFile).toLowerCase().split('\n').filter(Boolean))
  let lines = 0
  const found = []
  for (const file of filesOf(folder)) {
    const text = readFileSync(join(folder, file), 'utf8').trimEnd()
    const known = [...secrets].filter((secret) => text.toLowerCase().includes(bare(secret))).map(bare)
    for (const [index, line] of text.split('\n').entries()) {
      if (line) lines += 1
      const kinds = FORMS.filter(({ form }) => form.test(line)).map(({ what }) => what)
      if (known.some((secret) => line.toLowerCase().includes(secret))) kinds.push('a secret of the environment')
      found.push(...kinds.map((what) => `${file}:${index + 1}: ${what}`))
    }
  }
  return { lines, secrets: secrets.size, found }
}

/** Deletes the logs of earlier runs. */
export function emptyLogs() {
  rmSync(LOGS, { recursive: true, force: true })
  rmSync(SECRETS, { force: true })
  mkdirSync(LOGS, { recursive: true })
}

// A private key without 0x is the same key.
function bare(secret) {
  return secret.replace(/^0x(?=[0-9a-f]{64}$)/, '')
}

function filesOf(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
