import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRunning, openWorld, readWorld, writeWorld } from './world-folder'

const solana = ['solana.json', 'solana-devnet.json']
let parent = ''
let folder = ''
let said: string[] = []
const say = (line: string): void => {
  said.push(line)
}

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quittance-world-'))
  folder = join(parent, 'demo')
  said = []
})
afterEach(() => rm(parent, { recursive: true, force: true }))

/** Lays down what a run leaves: chains are files, the database is a folder. */
async function leave(...names: string[]): Promise<void> {
  for (const name of names) {
    if (name.endsWith('.json')) await writeFile(join(folder, name), '{}')
    else await mkdir(join(folder, name))
  }
}

describe('the folder of a local world', () => {
  test('a new world has keys that only its owner can read', async () => {
    openWorld(folder, say)
    expect((await stat(join(folder, 'world.json'))).mode & 0o777).toBe(0o600)
    expect(said).toEqual([])
  })

  test('a world with its chain and its database is opened as it was', async () => {
    const before = openWorld(folder, say)
    await leave('chain.json', 'base.json', ...solana, 'service')
    expect(openWorld(folder, say)).toEqual(before)
    expect(said).toEqual([])
  })

  test('a world of before API keys, Base, Solana and agents goes on with its old keys and gets what is new', async () => {
    const { keys, secrets, baseState: _, solanaState: __, solanaDevnetState: ___, ...rest } = openWorld(folder, say)
    const oldKeys = { signer: keys.signer, payer: keys.payer, merchant: keys.merchant }
    await writeFile(join(folder, 'world.json'), JSON.stringify({ ...rest, keys: oldKeys, secrets }))
    await leave('chain.json', 'service')
    const opened = openWorld(folder, say)
    const states = { baseState: 'base.json', solanaState: 'solana.json', solanaDevnetState: 'solana-devnet.json' }
    expect(opened).toMatchObject({ keys: oldKeys, secrets, ...states })
    expect(opened.keys.production).toMatch(/^0x[0-9a-f]{64}$/)
    expect(opened.keys.house).toMatch(/^0x[0-9a-f]{64}$/)
    expect(opened.keys.solanaProduction).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(said).toEqual([])
  })

  test.each([
    ['chain', ['base.json', ...solana, 'service']],
    ['Base chain', ['chain.json', ...solana, 'service']],
    ['Solana devnet chain', ['chain.json', 'base.json', 'solana.json', 'service']],
    ['database', ['chain.json', 'base.json', ...solana]],
    ['chain and Base chain and Solana chain and Solana devnet chain', ['service']],
  ])('a world that lost its %s is put aside whole, and a new one begins', async (missing, left) => {
    const before = openWorld(folder, say)
    await leave(...left)
    expect(openWorld(folder, say).keys).not.toEqual(before.keys)
    const aside = (await readdir(parent)).find((name) => name !== basename(folder)) ?? ''
    expect(JSON.parse(await readFile(join(parent, aside, 'world.json'), 'utf8'))).toEqual(before)
    expect(said).toEqual([
      `The kept world has lost its ${missing}: starting a new one; the old one is now in ${join(parent, aside)}`,
    ])
  })

  test('a chain file that was only half written counts as lost', async () => {
    openWorld(folder, say)
    await leave('base.json', ...solana, 'service')
    await writeFile(join(folder, 'chain.json'), '{"block":')
    openWorld(folder, say)
    expect(said[0]).toContain('has lost its chain')
  })
})

describe('who runs a world', () => {
  const running = (pid: number) => ({ pid, since: Date.now(), baseUrl: '', merchantUrl: 'http://127.0.0.1:1' })

  test('a living process that is still starting', async () => {
    writeWorld(folder, { ...openWorld(folder, say), running: running(process.ppid) })
    expect(await findRunning(folder)).toMatchObject({ pid: process.ppid })
  })

  test('nobody, when the process is gone', async () => {
    // No system hands out this number.
    writeWorld(folder, { ...openWorld(folder, say), running: running(2 ** 30) })
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('nobody, when its number has passed to a program that does not answer', async () => {
    writeWorld(folder, { ...openWorld(folder, say), running: { ...running(process.ppid), since: 0 } })
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('nobody, in a folder that holds no world', async () => {
    expect(readWorld(folder)).toBeUndefined()
    expect(await findRunning(folder)).toBeUndefined()
  })
})
