import { afterAll, beforeAll } from 'vitest'

/**
 * Opens something before the tests of a file or group and closes it after them. What it returns can be used from the first hook on, and
 * reads the opened one.
 */
export function fixture<T extends object & { close(): unknown }>(open: () => Promise<T>): T {
  let opened: T | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  return readThrough(() => {
    if (!opened) throw new Error('a fixture opens before the first test')
    return opened
  })
}

/** An object whose properties are those of another, which may be opened later. */
export function readThrough<T extends object>(of: () => T): T {
  return new Proxy({} as T, { get: (_, key) => Reflect.get(of(), key) })
}
