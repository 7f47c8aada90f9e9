import { expect, test } from 'vitest'
import { until } from '../../../test/support/until'
import { createFactoryCheck } from './factories'

const [THERE, GONE] = [`0x${'f1'.repeat(20)}`, `0x${'f2'.repeat(20)}`] as const

test('a factory is known to have code or not once a node said so, and the node is not asked for each reader', async () => {
  const asked: unknown[] = []
  const list = createFactoryCheck(
    async (_method, [address]) => {
      asked.push(address)
      return address === THERE ? '0x60' : '0x'
    },
    [THERE, GONE],
  )
  expect(list().map(({ hasCode }) => hasCode)).toEqual([null, null])
  await until(() => list()[0]?.hasCode !== null, 'the node to answer')
  expect(list()).toEqual([
    { address: THERE, hasCode: true },
    { address: GONE, hasCode: false },
  ])
  expect(asked).toEqual([THERE, GONE])
})

test('a silent node leaves them unknown, and throws nothing', async () => {
  const list = createFactoryCheck(async () => {
    throw new Error('silent')
  }, [THERE])
  list()
  await Promise.resolve()
  expect(list()).toEqual([{ address: THERE, hasCode: null }])
})
