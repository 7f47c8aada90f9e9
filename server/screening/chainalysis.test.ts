import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Kyt, misbehaviours, startKyt } from '../../test/support/service/kyt'
import { chainalysis } from './chainalysis'

const ADDRESS = '0xd90e2f925da726b50c4ed8d0fb90ad053324f31b'
const SOLANA = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
/** Long enough for any machine: a test that waits for it has failed. */
const PATIENT_MS = 20_000
const HASTY_MS = 500

let kyt: Kyt
beforeEach(async () => {
  kyt = await startKyt()
})
afterEach(() => kyt.close())

const rejection = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    (verdict) => expect.fail(`a verdict: ${verdict}`),
    (error: unknown) => error,
  )

describe('a verdict', () => {
  test('is clear when no identification is listed, flagged when one is', async () => {
    const ask = chainalysis(kyt.url, undefined, PATIENT_MS)
    expect(await ask(ADDRESS)).toBe('clear')
    kyt.flag(ADDRESS.toUpperCase().replace('0X', '0x'))
    expect(await ask(ADDRESS)).toBe('flagged')
    expect(await ask(SOLANA)).toBe('clear')
    kyt.flag(SOLANA)
    expect(await ask(SOLANA)).toBe('flagged')
  })

  test.each(misbehaviours)('is never made of this answer: %s', async (how) => {
    kyt.misbehave(how)
    // Only these wait for the timeout, and the request must arrive before it.
    const endless = /^(hangs|drips)/.test(how)
    await rejection(chainalysis(kyt.url, undefined, endless ? 2_000 : PATIENT_MS)(ADDRESS))
    expect(kyt.requests).toHaveLength(1)
  })

  test('is not read beyond 64 KB', async () => {
    const ask = chainalysis(kyt.url, undefined, PATIENT_MS)
    for (const how of ['huge body', 'huge body of blanks', 'endless body'] as const) {
      kyt.misbehave(how)
      expect(await rejection(ask(ADDRESS))).toMatchObject({ message: 'the KYT service answered with more than 64 KB' })
    }
  })

  test('is unknown without a server', async () => {
    const ask = chainalysis(kyt.url, undefined, PATIENT_MS)
    await kyt.close()
    expect(await rejection(ask(ADDRESS))).toMatchObject({ message: 'the KYT service cannot be reached' })
  })

  test('times out after 2 s', async () => {
    kyt.misbehave('hangs before headers')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let ended = false
      const asked = rejection(chainalysis(kyt.url, undefined)(ADDRESS)).finally(() => {
        ended = true
      })
      await vi.advanceTimersByTimeAsync(1_999)
      expect(ended).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(await asked).toMatchObject({ message: 'the KYT service gave no complete answer within 2000 ms' })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a request', () => {
  test('carries the API key, and none when there is none', async () => {
    await chainalysis(kyt.url, 'key-secret', PATIENT_MS)(ADDRESS)
    await chainalysis(kyt.url, undefined, PATIENT_MS)(ADDRESS)
    expect(kyt.requests.map(({ apiKey }) => apiKey)).toEqual(['key-secret', undefined])
  })

  test('goes to /address/ below the URL, with or without a slash at its end, and the address encoded', async () => {
    await chainalysis(kyt.url, undefined, PATIENT_MS)(ADDRESS)
    await chainalysis(`${kyt.url}/api/v1/`, undefined, PATIENT_MS)(ADDRESS)
    await chainalysis(kyt.url, undefined, PATIENT_MS)('a/b?c#d')
    const paths = kyt.requests.map(({ path }) => path)
    expect(paths).toEqual([`/address/${ADDRESS}`, `/api/v1/address/${ADDRESS}`, '/address/a%2Fb%3Fc%23d'])
  })

  test('that ended badly leaves no connection behind', async () => {
    for (const how of ['drips', 'hangs after headers', 'hangs before headers'] as const) {
      kyt.misbehave(how)
      await rejection(chainalysis(kyt.url, undefined, HASTY_MS)(ADDRESS))
    }
    await vi.waitFor(async () => expect(await kyt.connections()).toBe(0), PATIENT_MS)
  })
})

describe('an error', () => {
  test.each([...misbehaviours, 'no server' as const])('names neither URL nor key nor address: %s', async (how) => {
    const ask = chainalysis(`${kyt.url}/url-secret`, 'key-secret', HASTY_MS)
    if (how === 'no server') await kyt.close()
    else kyt.misbehave(how)
    const told = inspect(await rejection(ask(ADDRESS)), { depth: 20 })
    expect(told).toContain('the KYT service')
    expect(told).not.toMatch(/url-secret|key-secret|http:|VENDOR DETAIL/)
    expect(told).not.toContain(ADDRESS)
  })

  test.each([
    ['not a URL secret', undefined],
    ['ftp://kyt.example/secret', undefined],
    ['https://user:secret@kyt.example', undefined],
    ['https://kyt.example', 'secret\n1'],
    ['https://kyt.example', 'secret é€'],
  ])('says at once, without quoting them, that no request can be made of %j and %j', (url, key) => {
    const message = 'the URL of the KYT service or its API key cannot be used in a request'
    expect(() => chainalysis(url, key)).toThrow(
      expect.toSatisfy((error: Error) => error.message === message && error.cause === undefined),
    )
  })
})
