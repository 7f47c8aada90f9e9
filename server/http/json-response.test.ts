import { afterEach, expect, test, vi } from 'vitest'
import { JsonResponse, jsonResponse } from './json-response'

afterEach(() => vi.unstubAllGlobals())

test('a response stays one where a library replaces the Response of the platform, as the server of Hono does', async () => {
  const ours = jsonResponse({ success: true }, { status: 201 })
  const platform = new Response('')
  vi.stubGlobal('Response', class {})
  expect(JsonResponse.isResponse(ours)).toBe(true)
  vi.unstubAllGlobals()
  expect([ours, platform, { status: 201 }, null].map(JsonResponse.isResponse)).toEqual([true, true, false, false])
  expect(JsonResponse.wholeOf(ours)).toMatchObject({ status: 201, text: '{"success":true}' })
  expect(await ours.json()).toEqual({ success: true })
  // It was read.
  expect(JsonResponse.wholeOf(ours)).toBeNull()
})
