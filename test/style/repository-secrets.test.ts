import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, ROOT } from '../support/source-files'

// Patterns that only real secrets match. Test values are shorter or repetitive.
const FORMS = [
  { what: 'a private key in PEM', form: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/ },
  { what: 'an API key or session token of this service', form: /\b[qs]t_(?!(.)\1{20})[\w-]{43}\b/ },
  { what: 'an access key of a cloud', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { what: 'a token of a code host', form: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,}|glpat-[\w-]{20})\b/ },
  { what: 'a token of npm', form: /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=/ },
  { what: 'a secret of a payment service', form: /\b(?:sk|rk|whsec)_(?:live_)?[A-Za-z0-9]{24,}\b/ },
  { what: 'an RPC URL with its key', form: /https:\/\/[\w.-]+\.(?:alchemy\.com|infura\.io|quiknode\.pro)\/(?:v\d\/)?[\w-]{24,}/ },
  { what: 'a JWT', form: /\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}/ },
] as const

const secretsIn = (text: string): string[] => FORMS.filter(({ form }) => form.test(text)).map(({ what }) => what)

/** The files that git tracks; without git, all our files. */
function keptFiles(): string[] {
  try {
    return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  } catch {
    return filesBelow('')
  }
}

test('no file of the repository holds a secret', () => {
  const files = keptFiles().filter((file) => file !== 'test/style/repository-secrets.test.ts')
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) => secretsIn(readText(file)).map((what) => `${file}: ${what}`))
  expect(found).toEqual([])
})

test('the repository has no .env file except the example', () => {
  expect(keptFiles().filter((file) => /(^|\/)\.env/.test(file))).toEqual(['.env.example'])
})

test.each([
  ['-----BEGIN EC PRIVATE KEY-----', 'a private key in PEM'],
  [`qt_${'Ab3-_'.repeat(8)}xyz`, 'an API key or session token of this service'],
  [`AKIA${'A1B2'.repeat(4)}`, 'an access key of a cloud'],
  [`ghp_${'aB3'.repeat(12)}`, 'a token of a code host'],
  [`sk_live_${'aB3'.repeat(10)}`, 'a secret of a payment service'],
  [`https://base-mainnet.g.alchemy.com/v2/${'aB3'.repeat(10)}`, 'an RPC URL with its key'],
])('the scan sees %s', (secret, what) => {
  expect(secretsIn(`const x = '${secret}'`)).toEqual([what])
})

function readText(file: string): string {
  try {
    return readFileSync(path.join(ROOT, file), 'utf8')
  } catch {
    return '' // Deleted, but still tracked by git.
  }
}
