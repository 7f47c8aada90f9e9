import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../support/source-files'

const EnvModule = z.object({ envSchema: z.object({ shape: z.record(z.string(), z.unknown()) }) })

/** The variables in an example file, set or commented out. */
const namesIn = (text: string): string[] => [...text.matchAll(/^(?:#\s?)?([A-Z][A-Z0-9_]*)=/gm)].flatMap(([, name]) => name ?? [])

test('.env.example names exactly the variables the service reads, each once', async () => {
  const env: unknown = await import(pathToFileURL(path.join(ROOT, 'server/env/env.ts')).href)
  const known = Object.keys(EnvModule.parse(env).envSchema.shape)
  expect(namesIn(readFileSync(path.join(ROOT, '.env.example'), 'utf8')).sort()).toEqual(known.sort())
})

test('the parser finds set and commented names, and ignores prose', () => {
  expect(namesIn('# The port, PORT=1 by default\nPORT=3000\n#BASE_URL=\n# KYT=off\n')).toEqual(['PORT', 'BASE_URL', 'KYT'])
})
