import { expect, test } from 'vitest'
import { inParts, type Keep } from './parts'

/** Three parts, two of which open together; `third` decides about the last. */
const opening = (closed: string[], third: () => Promise<string>) => async (keep: Keep) => {
  const kept = (name: string, after = 0) =>
    keep(new Promise<string>((open) => setTimeout(open, after, name)), (part) => closed.push(part))
  await Promise.all([kept('first'), kept('second')])
  await Promise.all([kept('slow', 50), keep(third(), (part) => closed.push(part))])
  return { name: 'whole' }
}

test('what opened is closed once, the newest part first', async () => {
  const closed: string[] = []
  const whole = await inParts(opening(closed, async () => 'third'))
  expect([whole.name, closed]).toEqual(['whole', []])
  await whole.close()
  await whole.close()
  expect(closed).toEqual(['third', 'slow', 'second', 'first'])
})

test('if a part fails to open, the others are closed, also one that is still opening, and its error is thrown', async () => {
  const closed: string[] = []
  await expect(inParts(opening(closed, () => Promise.reject(new Error('no third'))))).rejects.toThrow('no third')
  expect(closed).toEqual(['slow', 'second', 'first'])
})

test('a part that fails to close holds up no other', async () => {
  const closed: string[] = []
  const whole = await inParts(async (keep) => {
    await keep(Promise.resolve('first'), (part) => closed.push(part))
    await keep(Promise.resolve(), () => Promise.reject(new Error('stays open')))
    return {}
  })
  await expect(whole.close()).rejects.toThrow('stays open')
  expect(closed).toEqual(['first'])
})
