import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createPayer } from '../../devnet/payer'
import { wallet } from '../interop/official-clients'
import { ADMIN_KEY } from '../support/service/harness'
import { LONG, newAddress, PRICE, programHarness } from '../support/service/program-harness'
import { openMerchant, runCommands } from '../support/service/shown-programs'
import { ROOT } from '../support/source-files'

const harness = programHarness()

const answers = () => harness().answers()

/** The first code block in a language below a heading of a page. */
function programIn(file: string, heading: string, language: string): string {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  const below = text.slice(text.indexOf(`\n${heading}\n`))
  const [, program] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(below) ?? []
  if (program === undefined) throw new Error(`${file} shows no ${language} below ${heading}`)
  return program
}

test(
  'the program in the README charges for a route, as it stands',
  async () => {
    const [payTo, url] = [newAddress(), await harness().facilitatorUrl()]
    const shown = programIn('README.md', '## Charge for your API', 'ts')
    // As a reader runs it: only its two placeholders are filled in.
    const program = shown.replace('process.env.FACILITATOR_URL', `'${url}'`).replace('0xYourAddress', payTo)
    const merchant = await openMerchant('Express', program)
    try {
      const paid = await createPayer(await wallet(harness().networks.sepolia.chain)).pay(merchant.url)
      expect(paid).toMatchObject({ status: 200, body: { weather: 'sunny' }, receipt: { success: true } })
      expect(await harness().networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
    } finally {
      await merchant.close()
    }
  },
  LONG,
)

test(
  'each operator command in docs/api.md does what its text says',
  async () => {
    const BASE = harness().baseUrl
    const made = await fetch(`${BASE}/admin/tenants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ owner_id: 'acme', plan: 'free' }),
    })
    const { id } = await made.json()
    harness().recorder.take()
    await runCommands(programIn('docs/api.md', '## Admin API', 'sh'), { BASE, ADMIN_KEY, ID: id })
    expect(answers()).toEqual([
      'POST /admin/tenants 201',
      'GET /admin/tenants 200',
      'GET /admin/tenants/:id 200',
      'PATCH /admin/tenants/:id 200',
      'POST /admin/tenants/:id/rotate 200',
      'PATCH /admin/tenants/:id 200',
    ])
  },
  LONG,
)
