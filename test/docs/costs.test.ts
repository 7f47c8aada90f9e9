import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isTest, ROOT, sourcesBelow } from '../support/source-files'

const page = readFileSync(path.join(ROOT, 'docs/costs.md'), 'utf8')

/** Methods of nodes in a text, between quotes of the program or of Markdown. */
const methodsIn = (text: string) =>
  [...text.matchAll(/['`](eth_[A-Za-z]+|get[A-Z][A-Za-z]+|simulateTransaction|sendTransaction)['`]/g)].map(
    ([, name = '']) => name,
  )

test('docs/costs.md names exactly the methods that the service asks of nodes', () => {
  const evm = sourcesBelow('server').filter(({ file }) => !isTest(file))
  const svm = evm.filter(({ file }) => /^server\/(chains|ledger)\/svm\//.test(file))
  const asked = [
    ...evm.flatMap(({ text }) => methodsIn(text)).filter((name) => name.startsWith('eth_')),
    ...svm.flatMap(({ text }) => methodsIn(text)),
  ]
  expect([...new Set(methodsIn(page))].sort()).toEqual([...new Set(asked)].sort())
})

test('its figures of calls and gas follow from those that they are made of', () => {
  const [, own = ''] = /^\| `exact`, alone +\| (\d+) /m.exec(page) ?? []
  const [, looks = ''] = /make it (\d+) for a lone payment/.exec(page) ?? []
  for (const [aDay, alone, together] of [
    [1_000, 0.75, 0.16],
    [10_000, 7.5, 1.6],
    [100_000, 75, 16],
  ] as const) {
    expect((aDay * 30 * (Number(own) + Number(looks))) / 1e6).toBe(alone)
    expect((aDay * 30 * 5.2) / 1e6).toBeCloseTo(together, aDay === 100_000 ? -1 : 1)
    expect(page).toContain(`| ${aDay.toLocaleString('en')} `)
    expect(page).toContain(`| ${alone} million `)
  }
  const rows = [...page.matchAll(/^\| (\w[\w ,]*?) +\| ([\d.]+) +\| ([\d,]+) +\| ([\d.]+) +\|$/gm)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, network = '', gwei = '', coin = '', dollars = ''] of rows) {
    const layer1 = network.startsWith('Base') ? 1.05 : 1
    const cost = (76_552 * Number(gwei) * Number(coin.replaceAll(',', '')) * layer1) / 1e9
    expect(Math.abs(cost - Number(dollars)) / cost, network).toBeLessThan(0.05)
  }
  const scale = readFileSync(path.join(ROOT, 'docs/scale.md'), 'utf8')
  for (const measured of ['76,552 alone, 50,460', '| 4.5                | 5.2             | 22 '])
    expect(scale).toContain(measured)
})

test('its figures of calls without payments follow from the calls a minute', () => {
  const text = page.replaceAll(/\s+/g, ' ')
  const [, aMinute = '', millions = ''] = /(\d+) a minute on their network, ([\d.]+) million a month/.exec(text) ?? []
  expect(Math.round((Number(aMinute) * 60 * 24 * 30) / 1e4) / 1e2).toBe(Number(millions))
  expect(text).toContain(`two calls a minute on a Solana cluster, ${(2 * 60 * 24 * 30).toLocaleString('en')} a month`)
})
