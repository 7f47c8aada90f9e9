import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { CatalogItem } from '@/server/discovery/schemas'
import { htmlOf } from '@/test/support/snippets'
import { callCommand, callProgram } from '../../client/programs/discovery'
import { EntryTable } from './entries'
import { Resource } from './resource'

const HOSTILE = '<img src=x onerror=alert(1)> [click](javascript:alert(1)) **bold**'
const URL = "https://shop.com/it's"

const item: CatalogItem = {
  resource: URL,
  type: 'http',
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      maxAmountRequired: '1500',
      resource: URL,
      description: HOSTILE,
      mimeType: '',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 60,
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      extra: {},
    },
  ],
  lastUpdated: '2026-11-21T12:34:56.000Z',
  metadata: {},
  extensions: { bazaar: { info: { input: { type: 'http', method: 'GET', note: HOSTILE } }, schema: {} } },
  description: HOSTILE,
  serviceName: HOSTILE.slice(0, 32),
  tags: [HOSTILE.slice(0, 20)],
  iconUrl: 'https://shop.com/icon.png',
}

const figures = { tries: 8, calls: 6, callers: 2, volume: '9000' }

const cellOf = (list: string, name: string) => new RegExp(`<td data-name="${name}"[^>]*>([^<]*)</td>`).exec(list)?.[1]

describe('merchant text', async () => {
  const pages = [
    ['on the page of a resource', await htmlOf(<Resource item={item} figures={null} isNew={false} days={null} />)],
    ['in the list', await htmlOf(<EntryTable items={[{ item, figures, isNew: false, days: [0, 6] }]} environment="mainnet" />)],
  ] as const

  test.each(pages)('is plain text %s: no markup, nothing loads', (_where, page) => {
    expect(page).toContain('&lt;img src=x')
    expect(page).not.toMatch(/<(img|script|iframe|strong>bold|b>bold)/)
    expect(page).not.toContain('icon.png')
    expect(page).not.toContain('href="javascript')
  })

  test('has one outbound link, marked as user content; all others lead to the explorer', () => {
    const outward = [...pages[0][1].matchAll(/<a [^>]*href="http[^>]*>/g)].map(([link]) => link)
    const [own, ...rest] = outward
    expect(own).toContain('rel="nofollow noreferrer ugc"')
    expect(rest).toHaveLength(2)
    for (const link of rest) expect(link).toContain('href="https://basescan.org/address/0x')
  })

  test('shows the exact price', () => {
    expect(pages[0][1]).toContain('0.0015 USDC')
    expect(pages[1][1]).toMatch(/>0\.0015<\/span><span[^>]*> USDC</)
  })

  test('the list shows the path before the host, and what the last 30 days came to', () => {
    const [, list] = pages[1]
    expect(list).toMatch(/>\/it&#x27;s<\/a>.*shop\.com/)
    for (const [name, text] of [
      ['Paid calls', '6'],
      ['Payers', '2'],
      ['Success', '75.0%'],
    ] as const)
      expect(cellOf(list, name)).toBe(text)
    expect(list).toMatch(/>0\.009<\/span><span[^>]*> USDC</)
  })
})

describe('the figures of an entry', () => {
  const rowOf = (figuresOf: typeof figures | null, isNew: boolean) =>
    htmlOf(<EntryTable items={[{ item, figures: figuresOf, isNew, days: null }]} environment="mainnet" />)

  test('amounts of a column align at their points', async () => {
    const other = { ...item, resource: 'https://shop.com/other' }
    const both = [
      { item, figures, isNew: false, days: null },
      { item: other, figures: { ...figures, volume: '3600000' }, isNew: false, days: null },
    ]
    const list = await htmlOf(<EntryTable items={both} environment="mainnet" />)
    expect(list).toContain('data-rest="">0.009<')
    expect(list).toContain('data-rest="0">3.60<')
  })

  test('without a completed day have no columns, or the reason in them, and a badge next to the name of a new entry', async () => {
    const row = await rowOf({ ...figures, tries: 0 }, true)
    expect(row).toContain('>New</span>')
    expect(row).not.toContain('>Payers<')
    const other = { ...item, resource: 'https://shop.com/other' }
    const paid = { item, figures, isNew: false, days: null }
    const listOf = (figuresOf: typeof figures | null) =>
      htmlOf(<EntryTable items={[paid, { ...paid, item: other, figures: figuresOf }]} environment="mainnet" />)
    expect(await listOf({ ...figures, tries: 0 })).toContain('>No payments on these days<')
    const fresh = { ...paid, item: other, figures: { ...figures, tries: 0 }, isNew: true }
    expect(await htmlOf(<EntryTable items={[paid, fresh]} environment="mainnet" />)).toContain(
      'those of new resources start tomorrow',
    )
    expect(await listOf(null)).toContain('>The merchant keeps no history<')
    expect(await rowOf(null, false)).not.toContain('>New<')
    expect(await rowOf(figures, true)).not.toContain('>New<')
  })

  test('of a page say why they are missing', async () => {
    const pageOf = (figuresOf: typeof figures | null) =>
      htmlOf(<Resource item={item} figures={figuresOf} isNew={false} days={null} />)
    expect(await pageOf(null)).toContain('the merchant keeps no history')
    expect(await pageOf({ ...figures, tries: 0 })).toContain('after the first full UTC day')
    expect(await pageOf(figures)).toContain('on completed days (UTC)')
  })
})

describe('copyable code', () => {
  const call = { url: "https://shop.com/';echo$IFS'owned';'", method: 'POST', body: { quote: "it's" } }

  test('is one shell command for any URL', () => {
    const command = callCommand(call).replace(/^curl/, 'printf "%s|"')
    const said = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
    expect(said).toBe(`-i|-X|POST|${call.url}|-H|content-type: application/json|-d|{"quote":"it's"}|`)
  })

  test('quotes the URL as one string in a program', () => {
    const program = callProgram({ ...call, url: 'https://shop.com/"+process.exit()+"' }).join('')
    expect(program.replace(/\s+/g, '')).toContain(String.raw`pay("https://shop.com/\"+process.exit()+\""`)
  })
})

test('a stream that is sold through channels shows what an answer costs at most, the least deposit, and a client for channels', async () => {
  const [way] = item.accepts
  const page = (extra: Record<string, unknown>) => {
    const accepts = way ? [{ ...way, scheme: 'batch-settlement' as const, extra }] : []
    return htmlOf(<Resource item={{ ...item, accepts }} figures={null} isNew={false} days={null} />)
  }
  const html = await page({ minDeposit: '20000' })
  for (const said of ['up to 0.0015 USDC', 'Deposit from 0.02 USDC', 'never more than was signed', 'batch-settlement/client'])
    expect(html).toContain(said)
  expect(await page({})).toContain('One deposit, many calls')
})

test('a URL with a template is a text, no link: nothing is found there', async () => {
  const shown = async (resource: string) =>
    htmlOf(<Resource item={{ ...item, resource }} figures={null} isNew={false} days={null} />)
  expect(await shown('https://shop.com/a')).toContain('href="https://shop.com/a"')
  for (const resource of ['https://shop.com/users/:id', 'https://shop.com/weather/%7Bcity%7D']) {
    const html = await shown(resource)
    expect(html).not.toContain(`href="${resource}"`)
    expect(html).toContain('shop.com')
  }
})
