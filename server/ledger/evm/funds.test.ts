import { expect, test } from 'vitest'
import type { NewAttempt } from '../statements/slots'
import { createFunds } from './funds'

const attempt = (cost: bigint): Pick<NewAttempt, 'raw' | 'gas' | 'maxFeePerGas'> => ({ raw: '0x', gas: cost, maxFeePerGas: 1n })

/** A signer with this balance, whose unmined transactions cost this much. */
function fundsOf(balance: bigint, ...unmined: bigint[]) {
  const signer = { balance, reads: 0, unmined: unmined.map(attempt) }
  const chain = {
    async balance() {
      signer.reads++
      return signer.balance
    },
    mostOf: ({ gas, maxFeePerGas }: { gas: bigint; maxFeePerGas: bigint }) => gas * maxFeePerGas,
  }
  return { signer, funds: createFunds(chain, '0x00', () => signer.unmined) }
}

test('funds cover what the balance leaves beside the unmined transactions', async () => {
  const { funds } = fundsOf(100n, 30n, 30n)
  expect(await funds.covers(41n)).toBe(false)
  expect(await funds.covers(40n)).toBe(true)
})

test('what is signed counts at once, and no node is asked while there is enough', async () => {
  const { signer, funds } = fundsOf(100n)
  expect(await funds.refresh()).toBe(100n)
  funds.spend(attempt(60n))
  signer.unmined = [attempt(60n)]
  expect(await funds.covers(40n)).toBe(true)
  expect(signer.reads).toBe(1)
  expect(await funds.covers(41n)).toBe(false)
  expect(signer.reads).toBe(2)
})

test('what was mined leaves what it did not use', async () => {
  const { signer, funds } = fundsOf(100n)
  await funds.refresh()
  funds.spend(attempt(90n))
  Object.assign(signer, { balance: 80n, unmined: [] })
  expect(await funds.covers(80n)).toBe(true)
})

test('what is signed while the balance is read is not forgotten', async () => {
  const { signer, funds } = fundsOf(100n)
  const reading = funds.refresh()
  funds.spend(attempt(60n))
  signer.unmined = [attempt(60n)]
  await reading
  expect(await funds.covers(40n)).toBe(true)
  expect(signer.reads).toBe(1)
  expect(await funds.covers(41n)).toBe(false)
})
