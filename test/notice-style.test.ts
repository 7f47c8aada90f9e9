import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { NOTICE_STYLES } from '../server/http/browser-policy'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the policy of pages names the style that the library of notices writes, and no other', async () => {
  const written: string[] = []
  // What the library does with a document while it is loaded, and nothing more.
  const style = { appendChild: (text: string) => written.push(text) }
  const head = { appendChild: () => {} }
  Object.assign(globalThis, { document: { head, createElement: () => style, createTextNode: (text: string) => text } })
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'document')
  })
  await import('sonner')
  expect(written).toHaveLength(1)
  expect(NOTICE_STYLES).toEqual([hashOf(''), hashOf(written.join(''))])
})
