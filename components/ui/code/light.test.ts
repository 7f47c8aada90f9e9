import { expect, test } from 'vitest'
import { merchantPrograms, sandboxSale, settleCommands } from '../../client/programs/merchants'
import { highlighted, type Language, type Piece } from './highlighter'
import { lightPieces } from './light'

const sale = sandboxSale('https://pay.example')
const programs: { name: string; code: string; language: Language }[] = [
  ...merchantPrograms.map(({ name, text }) => {
    return { name, code: text(sale), language: name === 'Python' ? ('python' as const) : ('typescript' as const) }
  }),
  { name: 'curl', code: settleCommands(sale), language: 'shellscript' },
  { name: 'JSON', code: JSON.stringify({ url: 'a', list: [1, true, null], inner: { text: 'b\n' } }, null, 2), language: 'json' },
]

/** The kind of each character. */
const kindsOf = (pieces: readonly Piece[]) => pieces.flatMap(({ text, kind }) => Array.from(text, () => kind))

test.each(programs)('the colors in the browser are nearly those of the server: $name', async ({ code, language }) => {
  const pieces = lightPieces(code, language)
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
  const server = kindsOf(await highlighted(code, language))
  const isSame = kindsOf(pieces).map((kind, at) => kind === server[at])
  const shown = isSame.filter((_, at) => code[at]?.trim())
  expect(shown.filter(Boolean).length / shown.length).toBeGreaterThan(0.88)
})

test('hostile text keeps its characters and costs no more than other text', () => {
  for (const part of ['"', "'", '/*', '`\\', '-', '"""', '#', '$(']) {
    const code = part.repeat(9_000 / part.length)
    for (const { language } of programs) {
      const before = process.cpuUsage()
      const pieces = lightPieces(code, language)
      // CPU time in microseconds, because a busy machine delays the end.
      expect(process.cpuUsage(before).user).toBeLessThan(500_000)
      expect(pieces.map(({ text }) => text).join('')).toBe(code)
    }
  }
})

test('a very long text stays plain', () => {
  const code = 'const one = 1\n'.repeat(2_000)
  expect(lightPieces(code, 'typescript')).toEqual([{ text: code, kind: null }])
})
