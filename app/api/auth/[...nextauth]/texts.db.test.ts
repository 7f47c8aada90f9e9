import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningApp } from '@/server/boot/app'
import { authBrowser } from '@/test/support/service/auth-browser'
import { startReading } from '@/test/support/service/history'

let harness: { app: RunningApp; close: () => Promise<void> }
beforeAll(async () => {
  harness = await startReading()
})
afterAll(() => harness.close())

test.each([
  ['GET', 'error?error=%00'],
  ['GET', 'error?error=%ED%A0%80'],
  ['POST', 'signin?callbackUrl=%00'],
  ['POST', 'signin?callbackUrl=javascript:alert(1)'],
  ['GET', 'csrf?callbackUrl=http%3A%2F%2F'],
  ['GET', 'callback/wallet'],
  ['GET', 'callback/admin?error=x'],
] as const)('a text that next-auth cannot read is no internal error: %s %s', async (method, path) => {
  const { status } = await authBrowser(harness.app).ask(method, path)
  expect([302, 400]).toContain(status)
})

test.each(['%00', 'javascript%3A1'])('nor is a cookie that next-auth cannot read: %s', async (value) => {
  const browser = authBrowser(harness.app, undefined, { cookie: `next-auth.callback-url=${value}` })
  const { status, body } = await browser.ask('GET', 'csrf')
  expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.stringContaining('delete the cookies') })])
})
