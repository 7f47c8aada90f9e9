import { expect, onTestFinished, test } from 'vitest'
import { cards, pictureUrl } from './cards'
import { drawPicture } from './picture'
import { pictureText } from './plain'

const PNG = [0x89, 0x50, 0x4e, 0x47]

test('a text of strangers keeps its known letters, in one line, and is cut', () => {
  expect(pictureText('  Météo\n\nfür “Köln” – 5 € ', 40)).toBe('Météo für “Köln” – 5')
  expect(pictureText('天気 🌦️ weather \u202Eevil', 40)).toBe('weather evil')
  expect(pictureText('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`)
})

test('a picture of hostile text is drawn without a request to any server', async () => {
  const { fetch } = globalThis
  onTestFinished(() => {
    globalThis.fetch = fetch
  })
  const asked: string[] = []
  globalThis.fetch = async (input) => {
    // The library reads its own WebAssembly from a data: URL.
    if (String(input).startsWith('data:')) return fetch(input)
    asked.push(String(input))
    throw new Error('no network')
  }
  const text = '<img src="https://evil.example/x.png"> 天気 🌦️ عربى url(https://evil.example) '.repeat(20)
  const slip = { to: text, amount: text, symbol: text, lines: [['Network', text]] as const, stamp: 'Settled' }
  const picture = await drawPicture({ label: text, title: text, text, slip }, {}).arrayBuffer()
  expect([...new Uint8Array(picture).slice(0, 4)]).toEqual(PNG)
  expect(asked).toEqual([])
})

test('pages have pictures of their own', () => {
  expect(pictureUrl('/docs/api/sign-in')).toBe('/pictures/docs-api-sign-in.png')
  expect([...cards.keys()]).toEqual(expect.arrayContaining(['home', 'catalog', 'docs', 'docs-webhooks', 'docs-api-sign-in']))
})
