import { SourceMap } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { sourceLines, withSourceLines } from './source-lines'

test('names the source line of every place in a bundle, as Node does', async () => {
  const program = path.join(import.meta.dirname, 'log.ts')
  const { code, map } = await bundle(program, { up: '../', maps: true })
  const decoded = JSON.parse(Buffer.from(map ?? []).toString())
  const rows = Buffer.from(code).toString().split('\n')
  const places = rows.flatMap((row, at) =>
    [...row.matchAll(/\b(?:throw|return) /g)].map(({ index }) => ({ line: at + 1, column: index + 1 })),
  )
  const reference = new SourceMap(decoded)
  const expected = places.map(({ line, column }) => {
    const origin = reference.findOrigin(line, column)
    return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}` : undefined
  })
  const named = sourceLines(
    decoded,
    places.map(({ line, column }) => `${line}:${column}`),
  )
  const found = places.map(({ line, column }) => named.get(`${line}:${column}`)?.replace(/:\d+$/, ''))
  expect(found.length).toBeGreaterThan(100)
  expect(found).toEqual(expected)
  expect(found.some((line) => line?.startsWith('server/base/log.ts:'))).toBe(true)
})

test('leaves the frames of other files as they are', () => {
  const frames = ['at act (file:///elsewhere/server.mjs:1:2)', 'at node:internal/process:3:4']
  expect(withSourceLines(frames)).toEqual(frames)
})
