import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { NOTICE_STYLES } from '../../server/http/browser-policy'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

test('the content security policy allows exactly the style of the toast library', async () => {
  const written: string[] = []
  // The only parts of `document` that the library uses while it loads.
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
