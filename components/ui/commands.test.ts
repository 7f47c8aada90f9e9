import { expect, test } from 'vitest'
import { commandFor } from './commands'

const commands = [
  { title: 'Export as CSV', key: 'e', run: () => {} },
  { title: 'Next row', key: 'j', repeats: true, run: () => {} },
] as const

const found = (key: string, repeat: boolean) => commandFor({ key, repeat }, commands)?.title

test('a held key exports once and keeps stepping through rows', () => {
  expect([found('e', false), found('e', true)]).toEqual(['Export as CSV', undefined])
  expect([found('j', false), found('j', true)]).toEqual(['Next row', 'Next row'])
})
