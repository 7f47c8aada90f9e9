import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from '../server/db/folder-lock'
import { previousServiceGone } from './previous-service'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-previous-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a service that still has the database is waited for, and said so once', async () => {
  const lock = await lockFolder(folder)
  const said: string[] = []
  const say = (line: string): void => {
    said.push(line)
    void lock.release()
  }
  await previousServiceGone(folder, say, undefined)
  expect(said).toEqual(['The service of an earlier run is still stopping; waiting for it (up to 25 s).'])
})

test('a folder that nobody has is not waited for, nor one that is not there yet', async () => {
  const said: string[] = []
  await previousServiceGone(join(folder, 'new'), (line) => void said.push(line), undefined)
  expect(said).toEqual([])
})

test('whoever interrupts is not kept waiting', async () => {
  const lock = await lockFolder(folder)
  await expect(previousServiceGone(folder, () => {}, AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
  await lock.release()
})
