import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { foundIn, lockFolder } from './folder-lock'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quittance-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

const leave = (holder: object) => writeFile(path.join(folder, 'lock.1'), JSON.stringify(holder))
const MANY_THREADS = `
  const { Worker } = require('node:worker_threads')
  for (let n = 0; n < 3; n++) new Worker('setInterval(() => {}, 1e3)', { eval: true })
  setTimeout(() => console.log('up'), 300)`
const gone = { pid: 2 ** 22 + 1, started: '1', host: hostname() }

describe('lockFolder', () => {
  test('one holder at a time; the refusal names the process and the folder', async () => {
    const lock = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(`the embedded database in ${folder} is in use by process ${process.pid}`)
    await lock.release()
    await (await lockFolder(folder)).release()
    expect(await readdir(folder)).toEqual(['lock.2'])
  })

  test('a lock whose process is gone is taken over at once', async () => {
    await leave(gone)
    await (await lockFolder(folder)).release()
  })

  test('a lock whose pid now belongs to another process is taken over at once', async () => {
    await leave({ ...gone, pid: process.pid })
    await (await lockFolder(folder)).release()
  })

  test('a killed process is ending until its last thread is gone; its parent need not collect it', () => {
    const stat = (state: string, flags: number, threads: number, pending = 0) =>
      `42 (node) :) ${state} 1 42 42 0 -1 ${flags} 0 0 0 0 0 0 0 0 20 0 ${threads} 0 777 0 0 0 0 0 0 0 0 ${pending} 0 0`
    expect(foundIn(stat('S', 0x400000, 11))).toEqual({ started: '777', ending: false })
    expect(foundIn(stat('D', 0x400000, 11, 0x100))).toEqual({ started: '777', ending: true })
    expect(foundIn(stat('R', 0x400004, 11))).toEqual({ started: '777', ending: true })
    expect(foundIn(stat('Z', 0x400004, 2))).toEqual({ started: '777', ending: true })
    expect(foundIn(stat('Z', 0x400004, 1))).toBeUndefined()
  })

  test('the successor of a killed process gets its folder as soon as the process is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const holder = spawn(process.execPath, ['-e', MANY_THREADS], { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void holder.kill('SIGKILL'))
      await once(holder.stdout, 'data')
      const { started } = foundIn(await readFile(`/proc/${holder.pid}/stat`, 'utf8')) ?? {}
      await leave({ pid: holder.pid, started, host: hostname() })
      await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${holder.pid}`)
      holder.kill('SIGKILL')
      await (await lockFolder(folder)).release()
      await rm(path.join(folder, 'lock.2'))
    }
  })

  test('an unreadable lock is taken over', async () => {
    await writeFile(path.join(folder, 'lock.1'), '{"pid":')
    await (await lockFolder(folder)).release()
  })

  test('a lock from another host is respected while it is refreshed', async () => {
    const lock = await lockFolder(folder)
    const own: unknown = JSON.parse(await readFile(path.join(folder, 'lock.1'), 'utf8'))
    await leave({ ...Object(own), host: 'elsewhere' })
    await expect(lockFolder(folder)).rejects.toThrow('on elsewhere')
    await lock.release()
    await leave({ ...gone, host: 'elsewhere' })
    await (await lockFolder(folder)).release()
  })

  test('of many that find a stale lock exactly one gets it', async () => {
    for (let round = 0; round < 50; round++) {
      const stale = await lockFolder(folder)
      const tries = Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)))
      await stale.release()
      const late = Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)))
      const won = [...(await tries), ...(await late)].filter((result) => result.status === 'fulfilled')
      expect(won).toHaveLength(1)
      await Promise.all(won.map(({ value }) => value.release()))
    }
  })
})
