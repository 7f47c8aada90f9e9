import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, getAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { startMerchant } from '../../../devnet/merchant'
import { startTwoNetworks } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { buyOnce } from './purchase'
import type { Step } from './steps'

const all = fixture(startTwoNetworks)

/** The result of a purchase and the state of each step. */
async function outcomeAt(merchantUrl: string) {
  const steps = new Map<string, Step>()
  const outcome = await buyOnce(merchantUrl, (step) => steps.set(step.name, step)).then(
    (bought) => ({ bought, problem: null }),
    (cause: unknown) => ({ bought: null, problem: String(cause) }),
  )
  return { ...outcome, steps: [...steps.values()], states: [...steps.values()].map(({ name, state }) => `${name} ${state}`) }
}

/** Buys from the sample merchant through the sandbox, with the money of its faucet. */
async function buyThroughSandbox(give: (to: Address, amount: bigint) => Promise<void>) {
  const payTo = privateKeyToAddress(generatePrivateKey())
  const { id } = all.networks.sepolia
  const merchant = await startMerchant({ facilitatorUrl: `${all.service.url}/sandbox`, payTo, network: id, give })
  try {
    return { payTo, ...(await outcomeAt(merchant.url)) }
  } finally {
    await merchant.stop()
  }
}

/** A purchase from a merchant that answers with `answer`. */
async function buyFrom(answer: RequestListener) {
  const server = createServer(answer).listen(0)
  await once(server, 'listening')
  try {
    return await outcomeAt(`http://localhost:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('a new wallet pays the merchant, and every step reports its time, requests and responses', async () => {
  const { chain } = all.networks.sepolia
  const { payTo, steps, states, ...outcome } = await buyThroughSandbox(chain.mint)
  expect(outcome).toEqual({
    problem: null,
    bought: {
      price: '0.001 USDC on Base Sepolia',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      resource: expect.stringContaining('Lisbon'),
      receipt: expect.stringMatching(/^ey/),
    },
  })
  expect(states).toEqual(['fund done', 'ask done', 'sign done', 'pay done', 'receive done'])
  for (const { milliseconds, messages } of steps) {
    expect(milliseconds).toBeGreaterThanOrEqual(0)
    expect(messages?.parts.length).toBeGreaterThan(0)
  }
  expect(await chain.tokens(payTo)).toBe(1_000n)
})

test('a failed payment says why and moves nothing', async () => {
  const { payTo, states, ...outcome } = await buyThroughSandbox(async () => {})
  expect(outcome).toMatchObject({
    problem: expect.stringMatching(/^Error: The merchant delivered nothing: .*(balance|insufficient)/i),
  })
  expect(states).toEqual(['fund done', 'ask done', 'sign done', 'pay done', 'receive failed'])
  expect(await all.networks.sepolia.chain.tokens(getAddress(payTo))).toBe(0n)
})

test('an unreachable merchant, an empty faucet and a missing price each say what to do next', async () => {
  const gone = await buyFrom((request) => request.socket.destroy())
  expect(gone.problem).toMatch(/cannot be reached.*npm run demo still runs, then try again/)
  expect(gone.states).toEqual(['fund failed'])
  const dry = await buyFrom((_, response) => response.writeHead(429).end('{"error":"Enough for a minute"}'))
  expect(dry.problem).toMatch(/Enough for a minute \(429\)\. Wait a minute, then try again/)
  const free = await buyFrom((_, response) => response.writeHead(200).end('{}'))
  expect(free.problem).toMatch(/named no price: HTTP 200/)
  expect(free.states).toEqual(['fund done', 'ask failed'])
})
