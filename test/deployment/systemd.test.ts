import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/source-files'

const text = readFileSync(path.join(ROOT, 'ops/quittance.service'), 'utf8')

/** The values of a setting, in order. */
const values = (name: string) => [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

test('the unit of systemd starts what is there, as its own user, with variables that only root reads', () => {
  const [folder = ''] = values('WorkingDirectory')
  const [program = ''] = values('ExecStart').map((command) => command.split(' ').at(-1) ?? '')
  expect(existsSync(path.join(ROOT, program)), program).toBe(true)
  expect(values('User')).toEqual(['quittance'])
  expect(text).toContain(`useradd --system --home-dir ${folder} --shell /usr/sbin/nologin ${values('User')[0]}`)
  const [variables = ''] = values('EnvironmentFile')
  // Left in the folder, the service would read it, and fail.
  expect(text).toContain(`install --mode=600 .env ${variables} && rm .env`)
})

test('its only writable folder is that of the embedded database, which exists before the service starts', () => {
  expect(values('ProtectSystem')).toEqual(['strict'])
  const [folder = ''] = values('WorkingDirectory')
  const [, dataDir = ''] =
    /^# Folder of the embedded database \((.*)\)$/m.exec(readFileSync(path.join(ROOT, '.env.example'), 'utf8')) ?? []
  const data = path.posix.join(folder, dataDir)
  expect(dataDir).not.toBe('')
  expect(values('ReadWritePaths')).toEqual([`-${data}`])
  const [before = ''] = values('ExecStartPre')
  // As root, because the folder of the service is not its user's.
  expect(before).toMatch(/^\+\/usr\/bin\/install --directory --owner=quittance /)
  expect(before.endsWith(` ${data}`)).toBe(true)
})

test('it waits for running requests longer than the service does', () => {
  const [, longest = '0'] = /EXIT_MS = ([\d_]+)/.exec(readFileSync(path.join(ROOT, 'server/main.ts'), 'utf8')) ?? []
  expect(Number(values('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(Number(longest.replace('_', '')))
})
