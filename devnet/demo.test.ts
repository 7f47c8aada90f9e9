import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buy } from './demo'
import type { PaidAnswer } from './payer'
import { addresses, paymentLine, withoutExtensionResponses } from './print'

const network = 'eip155:84532'
const receipt = { success: true, transaction: '0x01', network, payer: '0x02' } as const
const paid: PaidAnswer = {
  status: 200,
  body: {},
  amount: 1_000n,
  payTo: '0x03',
  problem: undefined,
  receipt,
  milliseconds: 5,
}
const refused = (reason: string): PaidAnswer => ({ ...paid, status: 402, problem: reason, receipt: undefined })
const failed = (errorReason: string): PaidAnswer => ({
  ...paid,
  status: 402,
  receipt: { ...receipt, success: false, errorReason },
})

/** Buys where the merchant gives these answers in turn. */
async function buyWith(...answers: PaidAnswer[]) {
  const printed: unknown[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line))
  onTestFinished(() => log.mockRestore())
  const pay = async (): Promise<PaidAnswer> => answers.shift() ?? paid
  return { answer: await buy({ pay }, '/weather'), left: answers.length, printed }
}

test.each([
  ['verifying', refused('upstream_unreachable: the Base Sepolia node did not answer; nothing was sent, try again')],
  ['settling', failed('facilitator_unavailable')],
])('the demo pays again when a chain did not answer at %s, and says what it waits for', async (_, unsent) => {
  expect(await buyWith(unsent, paid)).toEqual({
    answer: paid,
    left: 0,
    printed: ['  Waiting for the local chains to answer; a busy machine may take a minute.'],
  })
})

test('a payment that was sent is not paid twice, and any other failure ends the demo', async () => {
  const pending = failed('settlement_pending')
  expect(await buyWith(pending, paid)).toEqual({ answer: pending, left: 1, printed: [] })
  await expect(buyWith(failed('insufficient_funds'))).rejects.toThrow(
    'Paying for /weather failed with status 402: insufficient_funds',
  )
})

test('the line of a payment by upto has what was charged, and the maximum that was signed', () => {
  const charged = { ...paid, amount: 20_000n, receipt: { ...receipt, amount: '7650' } }
  expect(paymentLine('/tokens', charged)).toMatch(/^\s*0\.00765 USDC .* 0x01 of at most 0\.02 USDC$/)
  expect(paymentLine('/weather', { ...paid, receipt: { ...receipt, amount: '1000' } })).toMatch(/^\s*0\.001 USDC .* 0x01$/)
})

test('the line that the official client prints after a settle is left out, and only that line', async () => {
  const header = Buffer.from(JSON.stringify({ bazaar: { status: 'processing' } })).toString('base64')
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'extension-responses': header }).end(JSON.stringify(receipt))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const printed: unknown[][] = []
  const raw: unknown[][] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...parts) => {
    raw.push(parts)
    withoutExtensionResponses((...kept) => void printed.push(kept))(...parts)
  })
  onTestFinished(() => {
    log.mockRestore()
    server.close()
    server.closeAllConnections()
  })
  const requirements = {
    scheme: 'exact',
    network,
    asset: '0x04',
    amount: '1',
    payTo: '0x03',
    maxTimeoutSeconds: 60,
    extra: {},
  } as const
  const payload = { x402Version: 2, accepted: requirements, payload: {} }
  await new HTTPFacilitatorClient({ url }).settle(payload, requirements)
  console.log('a payment', 1)
  expect([raw.length, printed]).toEqual([2, [['a payment', 1]]])
})

test('every page that the demo prints exists, the console among them', () => {
  const chain = { url: 'http://chain' }
  const printed = addresses({
    baseUrl: 'http://demo',
    merchantUrl: 'http://merchant',
    issuer: 'http://issuer',
    facilitatorUrl: 'http://demo/v1/key',
    databaseFolder: 'db',
    logFile: undefined,
    chains: [chain, chain],
    solana: [chain, chain],
  })
  const pages = [...printed.matchAll(/http:\/\/demo(\/[\w/]*)/g)].map(([, path = '']) => path)
  expect(pages).toEqual(['/home', '/dashboard', '/console', '/v1/key', '/sandbox'])
  for (const page of ['/home', '/(app)/dashboard', '/(app)/console']) {
    expect(existsSync(new URL(`../app${page}/page.tsx`, import.meta.url))).toBe(true)
  }
  expect(printed).toMatch(/Admin key .*\(opens the console/)
})
