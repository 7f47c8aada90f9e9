import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isServiceError } from '../base/errors'
import { DEFAULT_BODY_LIMIT, PAYMENT_BODY_LIMIT, readJson } from './bodies'

/** A request whose body comes in these pieces, without a length. */
function chunked(pieces: Uint8Array[], watch: { cancelled?: boolean; pulled?: number } = {}): Request {
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      watch.pulled = (watch.pulled ?? 0) + 1
      const piece = left.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
    cancel() {
      watch.cancelled = true
    },
  })
  return new Request('http://quittance.test/', { method: 'POST', body, duplex: 'half' } as RequestInit)
}

const bytes = (text: string) => new TextEncoder().encode(text)
const jsonOf = (size: number) => `"${'x'.repeat(size - 2)}"`
const post = (body: BodyInit) => new Request('http://quittance.test/', { method: 'POST', body })

async function refusalOf(request: Request, limit = PAYMENT_BODY_LIMIT) {
  try {
    await readJson(request, limit)
    return 'read'
  } catch (error) {
    if (!isServiceError(error)) throw error
    return [error.refusal, error.message]
  }
}

describe('a body', () => {
  test.each([PAYMENT_BODY_LIMIT, DEFAULT_BODY_LIMIT])('of exactly %i bytes is read, one byte more is not', async (limit) => {
    const tooLarge = ['too_large', `the body is larger than ${limit / 1_024} KB, the limit of this route`]
    expect(await readJson(post(jsonOf(limit)), limit)).toHaveLength(limit - 2)
    expect(await refusalOf(post(jsonOf(limit + 1)), limit)).toEqual(tooLarge)
    const halves = [bytes(jsonOf(limit)).subarray(0, 9), bytes(jsonOf(limit)).subarray(9)]
    expect(await readJson(chunked(halves), limit)).toHaveLength(limit - 2)
    expect(await refusalOf(chunked([...halves, bytes(' ')]), limit)).toEqual(tooLarge)
  })

  test('without an end is left as soon as it is too large', async () => {
    const watch: { cancelled?: boolean; pulled?: number } = {}
    const endless = Array.from({ length: 10_000 }, () => bytes('x'.repeat(1_024)))
    expect(await refusalOf(chunked(endless, watch))).toMatchObject(['too_large', expect.any(String)])
    expect(watch.cancelled).toBe(true)
    expect(watch.pulled).toBeLessThan(20)
  })

  test('is the same however it was cut in pieces, even inside a character', async () => {
    const value = { text: 'ünï 🦊', list: [1, 2, 3] }
    const whole = bytes(JSON.stringify(value))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 6 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), whole.length]
        const pieces = edges.slice(1).map((edge, at) => whole.subarray(edges[at], edge))
        expect(await readJson(chunked(pieces.filter((piece) => piece.length > 0)), 1_000)).toEqual(value)
      }),
      { numRuns: 50 },
    )
  })

  test('that counts characters instead of bytes is caught', async () => {
    expect(await refusalOf(post(`"${'ü'.repeat(PAYMENT_BODY_LIMIT / 2)}"`))).toMatchObject(['too_large', expect.any(String)])
  })

  test.each<[string, () => Request, string]>([
    ['no body', () => new Request('http://quittance.test/', { method: 'POST' }), 'the body is empty; send a JSON object'],
    ['an empty body', () => post(''), 'the body is empty; send a JSON object'],
    ['an empty stream', () => chunked([]), 'the body is empty; send a JSON object'],
    ['bytes that are not UTF-8', () => post(new Uint8Array([0x22, 0xff, 0x22])), 'the body is not UTF-8'],
    ['a form', () => post('a=1&b=2'), 'the body is not valid JSON'],
    ['compressed bytes', () => post(new Uint8Array([0x1f, 0x8b, 8, 0])), 'the body is not UTF-8'],
  ])('is a bad request when it is %s', async (_, request, message) => {
    expect(await refusalOf(request())).toEqual(['bad_request', message])
  })
})
