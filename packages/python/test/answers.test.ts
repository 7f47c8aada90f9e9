import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TEST_EVENT, webhookEvents } from '../../../server/webhooks/events'
import { ROOT } from '../../../test/support/source-files'

const read = (file: string) => readFileSync(path.join(ROOT, 'packages', file), 'utf8')
const python = read('python/src/quittance_x402/answers.py')
const typescript = read('quittance/src/answers.ts')

/** The lines of a declaration, up to the next blank one. */
const partOf = (text: string, start: string) => text.slice(text.indexOf(start)).split(/\n\n(?! {4})/)[0] ?? ''
const eventsIn = (text: string) => [...text.matchAll(/['"]((?:payment|alert|listing|webhook)\.\w+)['"]/g)].map(([, name]) => name)
const fieldsIn = (text: string) => [...text.matchAll(/^\s+(\w+)\??: /gm)].map(([, name]) => name)

test('both packages for merchants name every event of webhooks', () => {
  const events = [...webhookEvents, TEST_EVENT]
  expect(eventsIn(partOf(python, 'WebhookEvent = ')).toSorted()).toEqual(events.toSorted())
  expect(eventsIn(partOf(typescript, 'export type WebhookEvent')).toSorted()).toEqual(events.toSorted())
})

test.each(['Receipt', 'Settlement'])('both packages have the same fields of a %s', (name) => {
  const fields = fieldsIn(partOf(python, `class ${name}(`))
  expect(fields.length).toBeGreaterThan(10)
  expect(fields).toEqual(fieldsIn(partOf(typescript, `export type ${name} =`)))
})
