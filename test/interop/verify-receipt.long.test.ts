import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReceipts, type ReceiptFacts, type Receipts } from '../../server/payments/receipts'
import { ROOT } from '../support/source-files'

// The programs that docs/receipts.md shows, as a reader would run them, against a server that publishes keys.
const text = readFileSync(path.join(ROOT, 'docs', 'receipts.md'), 'utf8')
const programs = {
  ts: { file: 'receipt.mts', command: [process.execPath, '--import', 'tsx'] },
  python: { file: 'receipt.py', command: ['/usr/bin/python3'] },
} as const

const signed = (by: Receipts) => by.sign(facts) ?? ''
const facts: ReceiptFacts = {
  id: '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
  network: 'eip155:84532',
  amount: '1000',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  resource: 'https://merchant.example/wetter?ort=Köln',
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 7,
  block: 12n,
  finality: 'included',
  reversed: false,
  version: 3,
}

let server: Server
let url = ''
let receipts: Receipts
const folder = mkdtempSync(path.join(tmpdir(), 'receipts-'))
beforeAll(async () => {
  server = createServer((_request, response) => response.end(JSON.stringify({ keys: receipts.keys })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  receipts = await createReceipts(['newer', 'earlier'], url, () => 1_795_500_000n)
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

describe.each(['ts', 'python'] as const)('the program in %s', (language) => {
  const { file, command } = programs[language]
  const [, shown = ''] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text) ?? []
  const run = (receipt: string, facilitator = url) => {
    writeFileSync(path.join(folder, file), shown)
    const [program, ...before] = command
    return promisify(execFile)(program, [...before, path.join(folder, file), receipt, facilitator], { cwd: ROOT })
  }

  test('prints the claims of a receipt, also of an earlier key', async () => {
    const earlier = await createReceipts(['earlier'], url, () => 1_795_400_000n)
    for (const receipt of [signed(receipts), signed(earlier)])
      expect(JSON.parse((await run(receipt)).stdout)).toMatchObject({
        iss: url,
        settlement_id: facts.id,
        resource: facts.resource,
        log_index: 7,
        block_number: 12,
      })
  })

  test('refuses a changed receipt, a strange key and another facilitator', async () => {
    const [header = '', claims = '', signature = ''] = signed(receipts).split('.')
    const more = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...more, amount: '9000' })).toString('base64url')
    const strange = await createReceipts(['strange'], url, () => 1n)
    const elsewhere = await createReceipts(['newer'], 'https://elsewhere.example', () => 1n)
    for (const receipt of [`${header}.${forged}.${signature}`, signed(strange), signed(elsewhere), 'junk'])
      await expect(run(receipt)).rejects.toThrow('Command failed')
  })
})
