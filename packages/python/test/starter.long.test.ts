import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { startPackedWorld } from '../../quittance/test/packed-world'
import { builtWheel } from './wheel'

const all = fixture(async () => {
  const [world, wheel] = await Promise.all([startPackedWorld(tmpdir()), builtWheel()])
  return {
    ...world,
    wheels: wheel.folder,
    async close() {
      rmSync(wheel.folder, { recursive: true, force: true })
      await world.close()
    },
  }
})

test('the route for FastAPI is installed with our package, runs, and is paid once', async () => {
  const payTo = newAddress()
  const where = ['--folder', 'python', '--url', `${all.url}/sandbox`, '--faucet', all.faucet]
  const args = ['init', '--framework', 'fastapi', '--pay-to', payTo, ...where]
  const said = await all.quittance(args, { PIP_FIND_LINKS: all.wheels })
  expect(said).toContain('Paid      200 {"weather":"sunny"}')
  expect(said).toContain('Receipt   included: 1000 atomic units')
  expect(await all.sepolia.tokens(payTo)).toBe(1_000n)
}, 240_000)
