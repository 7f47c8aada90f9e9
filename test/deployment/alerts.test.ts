import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../support/source-files'
import { exported, namedIn, unevenIn } from './exported-metrics'

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[smh]$/)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string().min(1) }),
        }),
      ),
    }),
  ),
})

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const rules = Rules.parse(parse(read('ops/alerts.yaml'))).groups.flatMap(({ rules }) => rules)
const page = read('docs/operations.md')

describe('ops/alerts.yaml', () => {
  test('names no alert twice', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test.each(rules)('$alert uses only exported metrics', async ({ expr }) => {
    const { all } = await exported()
    const names = namedIn(expr)
    expect(names.length > 0 || /\bup\{/.test(expr)).toBe(true)
    expect(names.filter((name) => !all.has(name))).toEqual([])
    // An unclosed bracket is the usual mistake.
    expect(unevenIn(expr)).toEqual([])
  })

  test.each(rules)('$alert is in the playbook', ({ alert }) => {
    expect(page).toContain(`| \`${alert}\` `)
  })
})

describe('docs/operations.md', () => {
  test('lists exactly the exported metrics', async () => {
    const { own } = await exported()
    const documented = new Set([...page.matchAll(/`(quittance_[a-z0-9_]+)`/g)].map(([, name]) => name))
    expect([...documented].sort()).toEqual([...own].sort())
  })

  test('describes exactly the defined alerts', () => {
    const incidents = [...page.matchAll(/^\| `([A-Z][a-z]+[A-Z]\w*)` /gm)].map(([, name]) => name)
    expect(new Set(incidents)).toEqual(new Set(rules.map(({ alert }) => alert)))
  })
})
