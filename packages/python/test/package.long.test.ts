import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startTwoNetworks, wallet } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { until } from '../../../test/support/until'
import { ask, signedHeader } from '../../quittance/test/merchant-process'
import { newStore } from '../../quittance/test/new-store'
import { STEPS, type Step } from '../../quittance/test/settings'
import { pythonCases } from './cases'
import { builtWheel, PYTHON } from './wheel'

const PRICE = 1_000n
const SERVED = { status: 200, weather: 'sunny' }
const REFUSED = { status: 402, weather: undefined }

const all = fixture(async () => {
  const [networks, wheel] = await Promise.all([startTwoNetworks(), builtWheel()])
  return {
    ...networks,
    site: wheel.site,
    async close() {
      rmSync(wheel.folder, { recursive: true, force: true })
      await networks.close()
    },
  }
})

const here = (file: string) => path.join(import.meta.dirname, file)
const environment = (more: Record<string, string>) => {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, NODE_ENV: 'test', PYTHONPATH: all.site, PYTHONDONTWRITEBYTECODE: '1', ...more } as const
}

test('the wheel does what the TypeScript package does without a facilitator', async () => {
  const { stderr } = await promisify(execFile)(PYTHON, [here('cases.py')], {
    env: environment({ CASES: JSON.stringify(await pythonCases()) }),
  })
  expect(stderr).toMatch(/^Ran 1\d tests .*\n\nOK$/m)
})

type Settings = {
  facilitator: string
  client: 'recovering' | 'plain'
  payTo: string
  store: string
  killAt: Step | null
  answerWithinMs?: number
}

/** A merchant in Python as a process of its own. */
async function startMerchant(settings: Settings) {
  const child = spawn(PYTHON, [here('merchant.py')], { env: environment({ MERCHANT: JSON.stringify(settings) }), stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
  }
  const gone = once(child, 'exit')
  await until(() => /port \d+/.test(output) || child.exitCode !== null, 'the merchant to listen', 30_000)
  if (child.exitCode !== null) throw new Error(`the merchant ended:\n${output}`)
  return {
    url: `http://127.0.0.1:${/port (\d+)/.exec(output)?.[1]}/weather`,
    gone,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function newSale(client: Settings['client']) {
  const { chain } = all.networks.sepolia
  const payTo = newAddress()
  const settings: Settings = { facilitator: (await all.tenant()).url, client, payTo, store: newStore(), killAt: null }
  const key = await wallet(chain)
  return { settings, key, received: () => chain.tokens(payTo) }
}

/** Sends a payment to a merchant that dies at a step, then the same payment twice to its next process. */
async function crash(settings: Settings, key: `0x${string}`) {
  const doomed = await startMerchant(settings)
  const headers = await signedHeader(doomed.url, key)
  const first = await ask(doomed.url, headers)
  await doomed.gone
  const next = await startMerchant({ ...settings, killAt: null })
  const answers = [await ask(next.url, headers), await ask(next.url, headers)]
  await next.kill()
  return { first, answers }
}

describe('a merchant in Python with RecoveringFacilitatorClient', () => {
  test.each(STEPS)('killed at "%s": one payment, and one answer after the restart', async (killAt) => {
    const { settings, key, received } = await newSale('recovering')
    const { first, answers } = await crash({ ...settings, killAt }, key)
    expect(first).toBe('no answer')
    expect(answers).toEqual([SERVED, REFUSED])
    expect(await received()).toBe(PRICE)
  })

  test('killed after its answer: the payment is not served again', async () => {
    const { settings, key, received } = await newSale('recovering')
    const merchant = await startMerchant(settings)
    const headers = await signedHeader(merchant.url, key)
    expect(await ask(merchant.url, headers)).toEqual(SERVED)
    expect(await ask(merchant.url, headers)).toEqual(REFUSED)
    await until(() => readFileSync(settings.store, 'utf8').includes('"served"'), 'the answer to count')
    await merchant.kill()
    const next = await startMerchant(settings)
    expect(await ask(next.url, headers)).toEqual(REFUSED)
    await next.kill()
    expect(await received()).toBe(PRICE)
  })

  test('with answer_within_ms 0 no crash makes a second answer', async () => {
    const { settings, key, received } = await newSale('recovering')
    const { answers } = await crash({ ...settings, answerWithinMs: 0, killAt: 'marked' }, key)
    expect(answers).toEqual([REFUSED, REFUSED])
    expect(await received()).toBe(PRICE)
  })

  test('a payment that was settled before its store was made is not served', async () => {
    const { settings, key } = await newSale('recovering')
    const doomed = await startMerchant({ ...settings, killAt: 'settled' })
    const headers = await signedHeader(doomed.url, key)
    await ask(doomed.url, headers)
    await doomed.gone
    const next = await startMerchant({ ...settings, store: newStore() })
    expect(await ask(next.url, headers)).toEqual(REFUSED)
    await next.kill()
  })

  test('two requests at once with a recovered payment get one answer', async () => {
    const { settings, key } = await newSale('recovering')
    const doomed = await startMerchant({ ...settings, killAt: 'settled' })
    const headers = await signedHeader(doomed.url, key)
    await ask(doomed.url, headers)
    await doomed.gone
    const next = await startMerchant(settings)
    const answers = await Promise.all([ask(next.url, headers), ask(next.url, headers), ask(next.url, headers)])
    expect(answers.filter((one) => one !== 'no answer' && one.status === 200)).toEqual([SERVED])
    await next.kill()
  })
})

test('with the official Python client alone, the same payment is refused after a crash', async () => {
  const { settings, key, received } = await newSale('plain')
  const { answers } = await crash({ ...settings, killAt: 'settled' }, key)
  expect(answers).toEqual([REFUSED, REFUSED])
  expect(await received()).toBe(PRICE)
})

test('RecoveringFacilitatorClientSync returns the success of a settle before which its process died, once', async () => {
  const { settings, key, received } = await newSale('recovering')
  const merchant = await startMerchant(settings)
  const headers = await signedHeader(merchant.url, key)
  await merchant.kill()
  const paymentPayload = JSON.parse(Buffer.from(Object.values(headers)[0] ?? '', 'base64').toString())
  const body = JSON.stringify({ paymentPayload, paymentRequirements: paymentPayload.accepted })
  const run = async (dies: boolean) => {
    const child = spawn(PYTHON, [here('sync_settle.py'), settings.facilitator, `${settings.store}.db`, String(dies)], {
      env: environment({}),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
    child.stdin.end(body)
    await once(child, 'close')
    return output
  }
  expect(await run(true)).toBe('')
  expect(JSON.parse(await run(false))).toMatchObject([
    { isValid: true },
    { success: true, extensions: { 'settlement-receipt': {} } },
    { success: false, errorReason: 'duplicate_settlement' },
  ])
  expect(await received()).toBe(PRICE)
})
