import { readFileSync } from 'node:fs'

// Repeated here, so that a mistake in the service's patterns cannot hide a secret.
const FORMS = [
  { what: 'an API key or session token', form: /(?:qt|st)(?:_|%5f)[\w-]{43}/i },
  { what: 'a bearer token', form: /\bbearer(?:\s|%20)+[\w.~+/=-]{8,}/i },
]

/** Every line with a secret: its file, number and kind, never its text. */
export function secretsInLogs(files: readonly string[], secrets: readonly string[]): string[] {
  // A private key without 0x is the same key.
  const known = secrets.filter(Boolean).map((secret) => secret.toLowerCase().replace(/^0x(?=[0-9a-f]{64}$)/, ''))
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => kindsIn(line, known).map((what) => `${file}:${at + 1}: ${what}`)),
  )
}

function kindsIn(line: string, known: readonly string[]): string[] {
  const lower = line.toLowerCase()
  const forms = FORMS.filter(({ form }) => form.test(line)).map(({ what }) => what)
  return known.some((secret) => lower.includes(secret)) ? [...forms, 'a secret the service was given'] : forms
}
