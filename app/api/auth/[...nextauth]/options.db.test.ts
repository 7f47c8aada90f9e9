import { expect, test } from 'vitest'
import { startReading } from '@/test/support/service/history'
import { fixture } from '../../../../test/support/fixture'
import { authOptions } from './options'

const harness = fixture(startReading)

test('a sign-in leads to one of our pages for any callback URL in a link or cookie, and never fails', async () => {
  const baseUrl = 'https://pay.example.com'
  const leads = async (url: string) => authOptions(harness.app).callbacks?.redirect?.({ url, baseUrl })
  expect(await leads('/dashboard?days=7')).toBe(`${baseUrl}/dashboard?days=7`)
  expect(await leads(`${baseUrl}/agent`)).toBe(`${baseUrl}/agent`)
  for (const url of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    `${baseUrl}.evil.example`,
    'javascript:alert(1)',
    '/\t/evil.example',
    'blob:https://pay.example.com/1',
    'https://evil:secret@pay.example.com/',
  ]) {
    expect([url, await leads(url)]).toEqual([url, baseUrl])
  }
  expect(await leads('garbage')).toBe(`${baseUrl}/garbage`)
  expect(await leads('https://')).toBe(baseUrl)
  expect(await leads('http://[')).toBe(baseUrl)
})
