import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { documented } from '../../test/support/service/documented'
import { newClient } from '../../test/support/service/surface'
import { PROGRAMS, someAddress } from '../../test/support/svm/forge'
import { startSvmHarness } from '../../test/support/svm/harness'
import { createMint } from '../../test/support/svm/mints'
import { until } from '../../test/support/until'
import { examineNetworks } from './doctor/doctor'
import { getHealth } from './endpoints'

let [good, scaled, missing] = ['', '', '']
let silent = true
const harness = fixture(() =>
  startSvmHarness({
    async prepare(solana, [node]) {
      good = (await createMint(solana)).mint
      scaled = (await createMint(solana, { program: PROGRAMS.token, decimals: 9 })).mint
      missing = someAddress()
      // The node answers everything but the reading of mints.
      node?.disturb(({ method, params }) => {
        const [asked] = params
        return silent && method === 'getMultipleAccounts' && Array.isArray(asked) && asked.includes(good) ? 'cut' : undefined
      })
      return { SOLANA_DEVNET_MINTS: JSON.stringify(listed()) }
    },
  }),
)
const listed = () => [
  { symbol: 'GOOD', mint: good },
  { symbol: 'USDC.e', mint: scaled },
  { symbol: 'GONE', mint: missing },
]

const mintParts = async () => {
  const response = await getHealth.handle(harness.app, new Request('http://quittance.test/health?ready=1'))
  const { body } = await documented('GET /health', {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { status: string; parts: { part: string; ready: boolean; message: string }[] },
  })
  const parts = body.parts.filter(({ part }) => part.includes(' mint '))
  return [body.status, ...parts.map(({ part, ready, message }) => [part.split(' mint ')[1], ready, message])]
}

const symbols = async () => {
  const { assets } = (await newClient(harness.app).supported()).body as { assets: { symbol: string }[] }
  return assets.map(({ symbol }) => symbol)
}

describe('the mints of the configuration', () => {
  test('are not served while no node answers, which says nothing against them, and a payment in one is a 503', async () => {
    const waiting = 'is not checked yet: no node answers'
    expect(await mintParts()).toEqual(['ready', ...['GOOD', 'USDC.e', 'GONE'].map((symbol) => [symbol, false, waiting])])
    expect(await symbols()).toEqual(['USDC'])
    const { body } = await harness.purchase({ mint: good, program: PROGRAMS.token2022 })
    const answer = await newClient(harness.app).settle(body)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  })

  test('are proven once a node answers: each that passes is served, and the others are refused with the reason', async () => {
    silent = false
    await until(async () => (await symbols()).length > 1, 'the mints to be proven')
    expect(await symbols()).toEqual(['USDC', 'GOOD', 'USDC.e'])
    expect(await mintParts()).toEqual([
      'ready',
      ['GOOD', true, 'is ready'],
      ['USDC.e', true, 'is ready'],
      ['GONE', false, 'is refused: it does not exist'],
    ])
  })

  test('are examined by the doctor as by a start', async () => {
    const findings = (await examineNetworks(harness.env)).filter(({ what }) => what.startsWith('SOLANA_DEVNET_MINTS'))
    expect(findings).toMatchObject([
      { what: 'SOLANA_DEVNET_MINTS, GOOD', status: 'ok', summary: `${good} on Solana devnet, 6 decimals` },
      { what: 'SOLANA_DEVNET_MINTS, USDC.e', status: 'ok', summary: `${scaled} on Solana devnet, 9 decimals` },
      { what: 'SOLANA_DEVNET_MINTS, GONE', status: 'wrong', summary: `${missing} does not exist` },
    ])
    const renamed = JSON.stringify([{ symbol: 'GOOD', mint: scaled }])
    const [conflict] = (await examineNetworks({ ...harness.env, SOLANA_DEVNET_MINTS: renamed })).filter(({ what }) =>
      what.startsWith('SOLANA_DEVNET_MINTS'),
    )
    expect(conflict).toMatchObject({
      status: 'wrong',
      summary: `${scaled} has 9 decimals, and GOOD on Solana devnet has another number`,
    })
  })
})
