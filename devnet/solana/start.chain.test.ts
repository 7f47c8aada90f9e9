import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createSolanaRpc } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { newest } from '../../test/support/svm/transactions'
import { startSolana } from './solana'

describe('a chain', () => {
  test('makes blocks by itself, or none while it is frozen', async () => {
    const quick = await startSolana({ cluster: 'devnet', slotMs: 5 })
    try {
      const rpc = createSolanaRpc(quick.url)
      const height = () => rpc.getBlockHeight(newest as { commitment: 'processed' }).send()
      const first = await height()
      await expect.poll(height).toBeGreaterThan(first + 5n)
      await quick.freeze()
      const frozen = await height()
      await quick.advance(1_000)
      expect(await height()).toBe(frozen + 1_000n)
      await quick.resume()
      await expect.poll(height).toBeGreaterThan(frozen + 1_005n)
    } finally {
      await quick.stop()
    }
  })

  test('says so when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await expect(startSolana({ cluster: 'devnet', port })).rejects.toThrow(
      `Port ${port} is taken, so the local Solana devnet cannot listen on it; free it or choose another port (0 takes any free one).`,
    )
    taken.close()
  })
})
