import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentWallets, forgetSampleAgent, keepAgent } from './agents'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-agents-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a demo lends the wallet of its last agent on each network', () => {
  expect(agentWallets(folder)).toEqual([])
  keepAgent(folder, 'solana', 'first')
  keepAgent(folder, 'base-sepolia', '0x01')
  keepAgent(folder, 'solana', 'second')
  expect(agentWallets(folder)).toEqual([
    { network: 'eip155:84532', name: 'Agent on Base Sepolia', key: '0x01' },
    { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', name: 'Agent on Solana', key: 'second' },
  ])
})

test('the agent of the sample history has its own wallet, until the history goes', () => {
  keepAgent(folder, 'base', '0x01')
  keepAgent(folder, 'sample', '0x02')
  const ofBase = { network: 'eip155:8453', name: 'Agent on Base', key: '0x01' }
  expect(agentWallets(folder)).toEqual([ofBase, { network: 'eip155:8453', name: 'Sample agent', key: '0x02' }])
  forgetSampleAgent(folder)
  forgetSampleAgent(folder)
  expect(agentWallets(folder)).toEqual([ofBase])
})

test('only the owner of the folder can read the keys', async () => {
  keepAgent(folder, 'base', '0x01')
  expect((await stat(join(folder, 'agents.json'))).mode & 0o777).toBe(0o600)
})

test('a damaged file is replaced by the next agent', async () => {
  await writeFile(join(folder, 'agents.json'), '{"base":')
  expect(agentWallets(folder)).toEqual([])
  keepAgent(folder, 'base', '0x01')
  expect(JSON.parse(await readFile(join(folder, 'agents.json'), 'utf8'))).toEqual({ base: '0x01' })
})
