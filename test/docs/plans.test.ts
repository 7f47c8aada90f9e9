import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { llmsText } from '../../components/site/docs/llms'
import { VERIFICATIONS_PER_CREDIT } from '../../server/accounts/credit-price'
import { CREDIT_BOUNDS_TEXT, CREDIT_PRICE_TEXT } from '../../server/accounts/credit-texts'
import { plans, soldPlans } from '../../server/accounts/plans'
import { minimumOf } from '../../server/payments/gas-budgets'
import { ALWAYS } from '../../server/x402/networks/always-on-networks'
import { builtInNetworks } from '../../server/x402/networks/built-in-networks'
import { coinUsdOf } from '../../server/x402/networks/coin-prices'

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '..', '..', file), 'utf8').replaceAll(/\s+/g, ' ')
const digits = (count: number) => count.toLocaleString('en')

test('docs/api.md has the limits of every plan, and the price of credits', () => {
  const page = read('docs/api.md')
  for (const name of ['sandbox', ...soldPlans] as const) {
    const { settlements, verifications, requestsPerSecond, flash } = plans[name]
    const cells = [`\`${name}\``, digits(settlements), digits(verifications), requestsPerSecond, flash ? 'yes' : 'no']
    expect(page).toContain(`| ${cells.join(' | ')} |`)
  }
  expect(page).toContain(`Keys that agents buy have plan \`agent\`: ${plans.agent.requestsPerSecond} requests per second`)
  expect(page).toContain(`${CREDIT_PRICE_TEXT}. A purchase is ${CREDIT_BOUNDS_TEXT.least} to ${CREDIT_BOUNDS_TEXT.most} credits.`)
  expect(page).toContain(`Each credit bought includes ${VERIFICATIONS_PER_CREDIT} verifications`)
})

test('docs/operations.md has the gas of every plan, docs/networks.md the price of each coin and each minimum payment', () => {
  const dollars = [...soldPlans, 'agent' as const].map((name) => digits(plans[name].gasUsdDay))
  expect(read('docs/operations.md')).toContain(`| US dollars a day | ${dollars.join(' | ')} |`)
  const page = read('docs/networks.md')
  for (const row of [...ALWAYS.map(([, one]) => one), ...builtInNetworks].filter(({ testnet }) => !testnet)) {
    const least = Math.max(minimumOf(row), 100) / 1_000_000
    expect(page).toContain(`| ${row.title} | ${row.coin.symbol} | ${digits(coinUsdOf(row) ?? 0)} | ${least} |`)
  }
})

test('README.md has the limits of the sandbox', () => {
  const { settlements, verifications, requestsPerSecond } = plans.sandbox
  expect(read('README.md')).toContain(
    `per address ${requestsPerSecond} requests/s, ${digits(settlements)} settlements and ${digits(verifications)} verifications a month`,
  )
})

test('/llms.txt says what the sandbox gives and what credits cost', () => {
  const text = llmsText('https://x402.example')
  expect(text).toContain('Each IP address has 1,000 settlements a month and 5 requests per second.')
  expect(text).toContain('1,000 credits cost 1 USDC; at least 100, at most 10,000,000.')
  expect(text).toContain('includes 5 verifications. 20 requests per second.')
})
