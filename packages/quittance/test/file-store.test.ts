import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fileStore, openedFile } from '../src/stores/file'
import { KEPT_MS, PRUNED_EVERY_MS } from '../src/stores/store'
import { newStore } from './new-store'

const held = async () => true
const again = (file: string, now = () => 2_000) => openedFile(file, now, held)

/** The claims on a file. */
const locksOf = (file: string) => readdirSync(path.dirname(file)).filter((name) => name.includes('.lock-'))

test('two stores of one path are one, however it is written', async () => {
  const file = newStore()
  const [one, other] = [fileStore(file), fileStore(path.relative(process.cwd(), file))]
  const taken = await Promise.all([one, other].map((store) => store.replace('a', null, 'served')))
  expect(taken).toEqual([true, false])
  expect(await other.get('a')).toBe('served')
})

test('nothing is opened before the first use: a build loads the modules of a server in several processes', async () => {
  const file = newStore()
  const store = fileStore(file)
  expect(locksOf(file)).toEqual([])
  await store.since()
  expect(locksOf(file)).toHaveLength(1)
})

test('a file that another living process has is not opened, until that process ended', async () => {
  const file = newStore()
  // The parent of this process lives, and its start is not known here.
  const claim = path.join(path.dirname(file), `served.jsonl.lock-${encodeURIComponent(hostname())}~${process.ppid}~unknown~a`)
  writeFileSync(claim, '')
  const store = fileStore(file)
  await expect(store.since()).rejects.toThrow(`process ${process.ppid} has ${file} open`)
  await expect(store.replace('a', null, 'served')).rejects.toThrow('use redisStore or sqlStore')
  expect(locksOf(file)).toHaveLength(1)
  rmSync(claim)
  expect(await store.replace('a', null, 'served')).toBe(true)
})

test('the claim of a process that ended does not count, also when a later process has its number', async () => {
  const file = newStore()
  const name = `served.jsonl.lock-${encodeURIComponent(hostname())}`
  for (const claim of [`${name}~999999999~1~a`, `${name}~${process.pid}~1~b`, `${name}.elsewhere~1~1~c`])
    writeFileSync(path.join(path.dirname(file), claim), '')
  expect(await fileStore(file).replace('a', null, 'served')).toBe(true)
  expect(locksOf(file)).toHaveLength(1)
})

test('a process that lost its file to one of another machine serves nothing more', async () => {
  const file = newStore()
  const store = fileStore(file)
  await store.since()
  for (const claim of locksOf(file)) rmSync(path.join(path.dirname(file), claim))
  await expect(store.replace('a', null, 'served')).rejects.toThrow('another process took')
  expect(await store.get('a')).toBeNull()
})

test('a line that a crash or a failed write cut off is forgotten, and the next one is whole', async () => {
  const file = newStore()
  const store = await openedFile(file, () => 1_000, held)
  await store.replace('a', null, 'one')
  appendFileSync(file, '["cut","x"')
  await store.replace('b', null, 'two')
  const next = await again(file)
  expect([await next.get('a'), await next.get('cut'), await next.get('b')]).toEqual(['one', null, 'two'])
  expect(readFileSync(file, 'utf8')).not.toContain('cut')
})

test('what is a day old is forgotten, without a restart too', async () => {
  const file = newStore()
  let clock = 1_000
  const store = await openedFile(file, () => clock, held)
  await store.replace('old', null, 'x')
  clock += KEPT_MS
  await store.replace('new', null, 'y')
  expect(await store.get('old')).toBeNull()
  expect(readFileSync(file, 'utf8')).not.toContain('old')
  // Not at every write.
  await store.replace('newer', null, 'z')
  clock += PRUNED_EVERY_MS - 1
  const { length } = readFileSync(file, 'utf8')
  await store.replace('newer', 'z', 'x')
  expect(readFileSync(file, 'utf8').length).toBeGreaterThan(length)
  const next = await again(file, () => clock)
  expect([await next.since(), await next.get('new'), await next.get('newer')]).toEqual([1_000, 'y', 'x'])
})

test('writes at the same time are all on the disk', async () => {
  const file = newStore()
  const store = await openedFile(file, () => 1_000, held)
  const keys = Array.from({ length: 50 }, (_, at) => `key ${at}`)
  await Promise.all(keys.map((key) => store.replace(key, null, 'served')))
  const next = await again(file)
  expect(await Promise.all(keys.map((key) => next.get(key)))).toEqual(keys.map(() => 'served'))
})
