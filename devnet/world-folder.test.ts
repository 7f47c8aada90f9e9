import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockFolder } from '../server/db/folder-lock'
import { databaseReleased, findRunning, openWorld, readWorld, writeWorld } from './world-folder'

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

const chains = ['chain.json', 'base.json', ...solana]

/** Makes the files that a run leaves: a chain is a file, the database a folder. */
async function leave(...names: string[]): Promise<void> {
  for (const name of names) {
    if (name.endsWith('.json')) {
      await writeFile(join(folder, name), '{}')
      continue
    }
    await mkdir(join(folder, name, 'db', 'postgres'), { recursive: true })
    await writeFile(join(folder, name, 'db', 'postgres', 'PG_VERSION'), '17')
  }
}

/** A world whose service ran once. */
function usedWorld() {
  const record = openWorld(folder, say)
  record.secrets.apiKey = 'qt_key'
  writeWorld(folder, record)
  return record
}

const asideIn = async (parentOf: string, name: string): Promise<string> => {
  const aside = (await readdir(parentOf)).find((found) => found.startsWith(`${name}-`))
  return join(parentOf, aside ?? '')
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

  test('a world that is older than API keys, Base, Solana and agents keeps its keys and gets the new ones', async () => {
    const { keys, secrets, baseState: _, solanaState: __, solanaDevnetState: ___, ...rest } = openWorld(folder, say)
    const oldKeys = { signer: keys.signer, payer: keys.payer, merchant: keys.merchant }
    await writeFile(join(folder, 'world.json'), JSON.stringify({ ...rest, keys: oldKeys, secrets }))
    await leave('chain.json', 'service')
    const opened = openWorld(folder, say)
    const states = { baseState: 'base.json', solanaState: 'solana.json', solanaDevnetState: 'solana-devnet.json' }
    expect(opened).toMatchObject({ keys: oldKeys, secrets, ...states })
    expect(opened.keys.production).toMatch(/^0x[0-9a-f]{64}$/)
    expect(opened.keys.operator).toMatch(/^0x[0-9a-f]{64}$/)
    expect(opened.keys.solanaProduction).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(said).toEqual([])
  })

  test.each([
    ['chain', ['base.json', ...solana, 'service']],
    ['Base chain', ['chain.json', ...solana, 'service']],
    ['Solana devnet chain', ['chain.json', 'base.json', 'solana.json', 'service']],
    ['chain and database', ['base.json', ...solana]],
    ['chain and Base chain and Solana chain and Solana devnet chain', ['service']],
  ])('a world that lost its %s is moved aside whole, and a new one starts', async (lost, left) => {
    const before = usedWorld()
    await leave(...left)
    expect(openWorld(folder, say).keys).not.toEqual(before.keys)
    const aside = await asideIn(parent, 'demo')
    expect(JSON.parse(await readFile(join(aside, 'world.json'), 'utf8'))).toEqual(before)
    expect(said).toEqual([
      `The saved demo in ${folder} has lost its ${lost}: a new one starts, and the old files are in ${aside}.`,
    ])
  })

  test('a world that lost its keys is moved aside whole', async () => {
    usedWorld()
    await leave(...chains, 'service')
    await rm(join(folder, 'world.json'))
    openWorld(folder, say)
    expect(said).toEqual([expect.stringContaining('has lost its keys: a new one starts')])
  })

  test.each([
    ['is gone', []],
    ['is empty', ['service']],
  ])('a world whose database folder %s keeps its keys and chains and starts with an empty database', async (_, left) => {
    const before = usedWorld()
    await leave(...chains, ...left)
    await rm(join(folder, 'service', 'db', 'postgres', 'PG_VERSION'), { force: true })
    expect(openWorld(folder, say)).toEqual(before)
    expect(said).toEqual([
      `The saved demo has lost its database (${join(folder, 'service')}) and starts with an empty one.`,
      'Its keys and chains stay; earlier payments are on the chains but no longer in the history.',
    ])
    expect(await readdir(folder)).not.toContain('service')
  })

  test('a first start that ended before the service ran goes on without a word', async () => {
    const before = openWorld(folder, say)
    await leave(...chains)
    expect(openWorld(folder, say)).toEqual(before)
    expect(said).toEqual([])
  })

  test('a chain file that is half written counts as lost', async () => {
    usedWorld()
    await leave('base.json', ...solana, 'service')
    await writeFile(join(folder, 'chain.json'), '{"block":')
    openWorld(folder, say)
    expect(said[0]).toContain('has lost its chain')
  })
})

describe('the run that owns a world', () => {
  const running = (pid: number) => ({ pid, since: Date.now(), baseUrl: '', merchantUrl: 'http://127.0.0.1:1' })

  test('is a living process that still starts', async () => {
    writeWorld(folder, { ...openWorld(folder, say), running: running(process.ppid) })
    expect(await findRunning(folder)).toMatchObject({ pid: process.ppid })
  })

  test('is a living process that a busy machine lets answer late', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : 0
    const merchantUrl = `http://127.0.0.1:${port}`
    writeWorld(folder, { ...openWorld(folder, say), running: { ...running(process.ppid), since: 0, merchantUrl } })
    expect(await findRunning(folder)).toMatchObject({ pid: process.ppid })
    silent.close()
  })

  test('is none when the process is gone', async () => {
    // No system has this process id.
    writeWorld(folder, { ...openWorld(folder, say), running: running(2 ** 30) })
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('is none when another program has its process id and does not answer', async () => {
    writeWorld(folder, { ...openWorld(folder, say), running: { ...running(process.ppid), since: 0 } })
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('is none in a folder without a world', async () => {
    expect(readWorld(folder)).toBeUndefined()
    expect(await findRunning(folder)).toBeUndefined()
  })
})

describe('the database of an earlier run', () => {
  test('is awaited while its service has it, with one line', async () => {
    await mkdir(folder)
    const lock = await lockFolder(folder)
    const release = (line: string): void => {
      said.push(line)
      void lock.release()
    }
    await databaseReleased(folder, release)
    expect(said).toEqual(['Waiting for the service of an earlier run to stop (up to 25 s).'])
  })

  test('is not awaited when it is free or not there', async () => {
    await databaseReleased(join(folder, 'new'), say)
    await mkdir(folder)
    await databaseReleased(folder, say)
    expect(said).toEqual([])
  })

  test('is not awaited after an interruption', async () => {
    await mkdir(folder)
    const lock = await lockFolder(folder)
    const interrupted = AbortSignal.abort(new Error('interrupted'))
    await expect(databaseReleased(folder, say, interrupted)).rejects.toThrow('interrupted')
    await lock.release()
  })
})
