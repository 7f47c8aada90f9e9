import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { findSecrets } from './secrets.mjs'

const KEY = `qt_${'Ab3-_'.repeat(8)}xyz`
const PRIVATE_KEY = `0x${'3f'.repeat(32)}`

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function check(log: string, secrets = '') {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-secrets-'))
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'quittance-secrets-'))
  folders.push(folder, elsewhere)
  writeFileSync(path.join(folder, 'a.log'), log)
  writeFileSync(path.join(elsewhere, 'secrets.txt'), secrets)
  return findSecrets(folder, path.join(elsewhere, 'secrets.txt'))
}

test.each([
  ['an API key', `{"a":"${KEY}"}`, 'an API key or session token'],
  ['a session token', `\\n${KEY.replace('qt_', 'st_')}`, 'an API key or session token'],
  ['an encoded key', KEY.replace('_', '%5F'), 'an API key or session token'],
  ['a bearer token', '{"authorization":"Bearer 0123456789"}', 'a bearer token'],
  ['a JWT', '{"token":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2ln"}', 'a JWT'],
  ['a sign-in message', 'x.test wants you to sign in with your Ethereum account:', 'a sign-in message'],
  ['a path with a key', '{"url":"/v1/some-key/settle"}', 'a path with a key'],
  ['a path that ends with a key', '{"url":"/v1/some-key"}', 'a path with a key'],
  ['a signer key', `{"key":"${PRIVATE_KEY}"}`, 'a secret of the environment'],
  ['a signer key in capitals and without 0x', PRIVATE_KEY.slice(2).toUpperCase(), 'a secret of the environment'],
  ['an admin key', 'x admin-key-of-the-test x', 'a secret of the environment'],
])('%s in a log is found, and reported by its place only', (_, planted, what) => {
  const { lines, found } = check(`fine\n${planted}\nfine\n`, `${PRIVATE_KEY}\nadmin-key-of-the-test\n`)
  expect(lines).toBe(3)
  expect(found).toEqual([`a.log:2: ${what}`])
})

test('a log of route patterns, hashes and ids holds no secret', () => {
  const line = `{"route":"/v1/:key/settle","other":"/api/v1/auth/siwe","keyless":"/v1/discovery/report","hash":"0x${'ab'.repeat(32)}","msg":"send the API key as bearer token"}\n`
  expect(check(line.repeat(2), `${PRIVATE_KEY}\n`)).toEqual({ lines: 2, secrets: 1, found: [] })
})

test('an empty log folder counts no lines and no secrets', () => {
  expect(check('')).toEqual({ lines: 0, secrets: 0, found: [] })
  expect(findSecrets('/nowhere', '/nowhere')).toEqual({ lines: 0, secrets: 0, found: [] })
})
