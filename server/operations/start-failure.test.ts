import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { whyNotStarted } from './start-failure'

/** The error of a server that may not listen there. */
async function failureToListen(port: number): Promise<unknown> {
  const [error] = await once(createServer().listen(port, '127.0.0.1'), 'error')
  return error
}

/** The error of the system. The user of the tests may have all rights. */
const denied = (syscall: string, what: string) =>
  Object.assign(new Error(`EACCES: permission denied, ${syscall} ${what}`), { code: 'EACCES', syscall })

describe('a service that cannot start', () => {
  test('names its port where another program listens', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    // A TCP server has an address with a port.
    const { port } = other.address() as AddressInfo
    const why = `port ${port} is taken by another program; stop it or set PORT to a free one`
    expect(whyNotStarted(await failureToListen(port), port)).toBe(why)
  })

  test('names its port where this user may not listen', () => {
    const why = 'port 80 may not be opened by this user; set PORT to one above 1023'
    expect(whyNotStarted(denied('listen', '0.0.0.0:80'), 80)).toBe(why)
  })

  test('blames no port for a file', () => {
    const why = "the service cannot start: EACCES: permission denied, mkdir '/data/db'"
    expect(whyNotStarted(denied('mkdir', "'/data/db'"), 3000)).toBe(why)
  })

  test('says what is to be built', () => {
    const error = new Error("Could not find a production build in the '.next' directory.")
    expect(whyNotStarted(error, 3000)).toBe('there is no build yet; run npm run build')
  })

  test('names every cause, and no URL', () => {
    const cause = new Error('no answer from postgres://user:secret@db/quittance')
    const why = 'the service cannot start: the database is away (no answer from <url>)'
    expect(whyNotStarted(new Error('the database is away', { cause }), 3000)).toBe(why)
    expect(whyNotStarted('nothing is right', 3000)).toBe('the service cannot start: nothing is right')
  })
})
