import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { startPackedWorld } from '../../quittance/test/packed-world'

const all = fixture(() => startPackedWorld(tmpdir()))

test('the route for FastAPI is installed with our package, runs, and is paid once', async () => {
  const payTo = newAddress()
  const where = ['--folder', 'python', '--url', `${all.url}/sandbox`, '--faucet', all.faucet]
  const said = await all.quittance(['init', '--framework', 'fastapi', '--pay-to', payTo, ...where])
  expect(said).toContain('Paid      200 {"weather":"sunny"}')
  expect(said).toContain('Receipt   included: 1000 atomic units')
  expect(said).toContain('Listed    yes')
  expect(await all.sepolia.tokens(payTo)).toBe(1_000n)
}, 900_000)
