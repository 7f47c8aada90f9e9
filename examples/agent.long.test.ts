import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { wrapFetchWithPayment } from '@x402/fetch'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundled } from '../devnet/bundle'
import { startCreditHarness } from '../test/money/kill/credit-harness'
import { fixture } from '../test/support/fixture'
import { openWallet } from './wallet'

const PROGRAM = path.join(import.meta.dirname, 'agent.ts')
const PRICE = 1_000n
const CREDITS = 100_000n

const harness = fixture(startCreditHarness)

/** Runs the example with its keys in the environment; resolves with its output. */
async function runExample(keys: Record<string, string>, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, await commandOf(args), { env: { ...process.env, ...keys } })
  return stdout
}

/** The program as one bundle, which believes that it was started from its own file. */
const commandOf = async (args: string[]): Promise<string[]> => {
  const bundle = pathToFileURL(await bundled(PROGRAM))
  const start = `process.argv.splice(1, 0, ${JSON.stringify(PROGRAM)}); await import(${JSON.stringify(bundle)})`
  return ['--input-type=module', '--eval', start, '--', '--service', harness.baseUrl, ...args]
}

/** The printed steps by name. */
const steps = (printed: string): Record<string, string> =>
  Object.fromEntries(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/, 2)),
  )

const transactionIn = (line = ''): string => line.split('tx ')[1] ?? ''

describe.each(['base-sepolia', 'solana'] as const)('an agent with a funded wallet and nothing else, on %s', (network) => {
  test('buys credits, sells through its own facilitator URL, and reads balance and history by signature', async () => {
    const { payTo, id, held, landed, nodeUrl, wallet } = harness.markets[network]
    const [agent, customer, before] = [await wallet(), await wallet(), await held(payTo)]
    const keys = { AGENT_KEY: agent.key, AGENT_CUSTOMER: customer.key }
    const printed = await runExample(keys, '--network', network, '--node', nodeUrl)
    const step = steps(printed)

    expect(step).toMatchObject({
      Wallet: `${agent.address} on ${network}`,
      Bought: expect.stringMatching(/^100 credits, tx \w+$/),
      Serving: expect.stringMatching(
        new RegExp(`^http://localhost:\\d+/fortune for \\$0\\.001, through ${harness.baseUrl}/v1/qt_[\\w-]{8}…$`),
      ),
      Sold: expect.stringMatching(new RegExp(`^to ${customer.address}, tx \\w+$`)),
      Balance: '99 credits left, 1 used',
      History: expect.stringMatching(/^0\.001 USDC for http:\/\/localhost:\d+\/fortune, tx \w+$/),
    })
    expect(transactionIn(step.History)).toBe(transactionIn(step.Sold))
    expect(printed).not.toMatch(/qt_[\w-]{12}/)

    const transactions = [step.Bought, step.Sold].map(transactionIn)
    expect(await Promise.all(transactions.map(landed))).toEqual([true, true])
    expect(await held(payTo)).toBe(before + CREDITS)
    expect(await held(agent.address)).toBe(1_000_000n - CREDITS + PRICE)
    expect(await held(customer.address)).toBe(1_000_000n - PRICE)
    // A settlement belongs to the agent only when it used the agent's key.
    const sale = await harness.db.settlement.findFirst({ where: { txHash: transactionIn(step.Sold) }, include: { tenant: true } })
    const owner = network === 'solana' ? agent.address : agent.address.toLowerCase()
    expect(sale).toMatchObject({ network: id, plan: 'agent', tenant: { ownerKind: 'wallet', ownerId: owner } })
  })
})

test('without a customer key it serves until a customer has paid', async () => {
  const { wallet } = harness.markets['base-sepolia']
  const [agent, customer] = [await wallet(), await wallet()]
  const child = spawn(process.execPath, await commandOf([]), {
    env: { ...process.env, AGENT_KEY: agent.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (!line.startsWith('Waiting')) continue
    const [, url = ''] = /(http\S+) for/.exec(lines.join('\n')) ?? []
    await wrapFetchWithPayment(fetch, (await openWallet('base-sepolia', customer.key)).client)(url)
  }
  expect(await ended).toEqual([0, null])
  expect(steps(lines.join('\n'))).toMatchObject({
    Sold: expect.stringContaining(customer.address),
    Balance: '99 credits left, 1 used',
  })
})

describe('a failure is one line and exit code 1', () => {
  const poor = async () => (await harness.markets['base-sepolia'].wallet(0n)).key
  const rich = async () => (await harness.markets['base-sepolia'].wallet()).key

  test.each([
    ['no key', async () => ({}), [], 'node --import tsx examples/agent.ts --key <private key>'],
    [
      'an unknown network',
      async () => ({ AGENT_KEY: '0x1' }),
      ['--network', 'moon'],
      '--network is one of base-sepolia, base, solana, not moon.',
    ],
    [
      'a service that does not answer',
      async () => ({ AGENT_KEY: await poor() }),
      ['--service', 'http://localhost:1'],
      /^fetch failed: \S.*\n$/,
    ],
    [
      'an agent without money',
      async () => ({ AGENT_KEY: await poor() }),
      [],
      "/api/v1/agent/purchase answered 402: The payer's balance is lower than the amount. The payment was on Base Sepolia (eip155:84532).\n",
    ],
    [
      'a customer without money',
      async () => ({ AGENT_KEY: await rich(), AGENT_CUSTOMER: await poor() }),
      [],
      '/fortune answered 402: invalid_exact_evm_insufficient_balance\n',
    ],
  ])('%s', async (_, keys, args, stderr) => {
    const failed = { code: 1, stdout: expect.not.stringContaining('Sold'), stderr: expect.stringMatching(stderr) }
    await expect(runExample(await keys(), ...args)).rejects.toMatchObject(failed)
  })
})
