import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Solana, startSolana } from './solana'
import { lamportTransfer, type Signed } from './transfers'

const sol = 1_000_000_000n
const processed = { commitment: 'processed' } as const
let folder = ''
let stateFile = ''
let payer: KeyPairSigner
let other: KeyPairSigner
let running: Solana[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-solana-'))
  stateFile = join(folder, 'solana.json')
  ;[payer, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
})
afterEach(async () => {
  await Promise.all(running.map((chain) => chain.stop()))
  running = []
  await rm(folder, { recursive: true, force: true })
})

// The test makes the blocks: an hour never passes here.
async function start(cluster: 'devnet' | 'mainnet' = 'devnet'): Promise<Solana> {
  const chain = await startSolana({ cluster, slotMs: 3_600_000, stateFile })
  running.push(chain)
  return chain
}

const rpcOf = ({ url }: Solana) => createSolanaRpc(url)
const newestBlockhash = async (chain: Solana) => (await rpcOf(chain).getLatestBlockhash(processed).send()).value.blockhash
const status = async (chain: Solana, of: Signed) => {
  const config = { searchTransactionHistory: true }
  return (await rpcOf(chain).getSignatureStatuses([of.signature], config).send()).value[0]
}

/** A chain whose payer has sent half of its lamports and has some USDC. */
async function lived() {
  const chain = await start()
  await chain.airdrop(payer.address, sol)
  await chain.mintTo(payer.address, 7n)
  const blockhash = await newestBlockhash(chain)
  const sent = await lamportTransfer(payer, other.address, sol / 2n, blockhash)
  await rpcOf(chain).sendTransaction(sent.raw, { encoding: 'base64', skipPreflight: true }).send()
  await chain.advance(3)
  return { chain, sent, height: await rpcOf(chain).getBlockHeight(processed).send(), blockhash }
}

async function isAsItWas({ sent, height, blockhash }: Awaited<ReturnType<typeof lived>>, chain: Solana): Promise<void> {
  expect([await chain.balance(other.address), await chain.tokens(payer.address)]).toEqual([sol / 2n, 7n])
  expect(await status(chain, sent)).toMatchObject({ err: null, confirmationStatus: 'confirmed' })
  expect(await rpcOf(chain).getBlockHeight(processed).send()).toBe(height)
  expect((await rpcOf(chain).isBlockhashValid(blockhash, processed).send()).value).toBe(true)
  const { value } = await rpcOf(chain)
    .simulateTransaction(sent.raw, { encoding: 'base64', ...processed })
    .send()
  expect(value.err).toBe('AlreadyProcessed')
}

describe('a chain that is kept in a file', () => {
  test('goes on where it stopped: accounts, heights, blockhashes and processed transactions', async () => {
    const before = await lived()
    await before.chain.stop()
    await isAsItWas(before, await start())
  })

  test('loses at most its last second by kill -9', async () => {
    const before = await lived()
    // A change of the file after a later mint means that the earlier state is saved.
    const seen = await readFile(stateFile, 'utf8')
    await before.chain.mintTo(other.address, 1n)
    await expect.poll(() => readFile(stateFile, 'utf8'), { timeout: 20_000 }).not.toBe(seen)
    process.kill(before.chain.pid, 'SIGKILL')
    await before.chain.stop()
    await isAsItWas(before, await start())
    expect((await readdir(folder)).filter((name) => name !== 'solana.json' && name !== 'solana.json.new')).toEqual([])
  })

  test("refuses a half-written file and another cluster's file", async () => {
    const chain = await start()
    await chain.stop()
    await expect(start('mainnet')).rejects.toThrow(
      `The chain's state file ${stateFile} is another cluster's; move it away to start a new chain.`,
    )
    const whole = await readFile(stateFile)
    const damaged = `The chain's state file ${stateFile} is damaged; move it away to start a new chain.`
    await writeFile(stateFile, whole.subarray(0, whole.length / 2))
    await expect(start()).rejects.toThrow(damaged)
    await writeFile(stateFile, '{"block":1}')
    await expect(start()).rejects.toThrow(damaged)
  })
})
