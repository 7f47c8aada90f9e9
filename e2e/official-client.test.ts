import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { build } from 'esbuild'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { test } from './journey'
import { giveUsdc } from './merchant'
import { service } from './test-service'

/** A shop's script: it pays with the official client and returns what it can read of the answer. */
const SCRIPT = `
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

globalThis.pay = async (url, key) => {
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key) })
  const response = await wrapFetchWithPayment(fetch, client)(url, { method: 'POST' })
  const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
  return { status: response.status, body: await response.json(), receipt }
}
`

/** Opens a website of another origin with this script. */
async function openWebsite(script: string): Promise<{ url: string; close: () => void }> {
  const website = createServer((req, res) => {
    res.setHeader('content-type', req.url === '/pay.js' ? 'text/javascript' : 'text/html')
    res.end(req.url === '/pay.js' ? script : '<!doctype html><title>Shop</title><script src="/pay.js"></script>')
  }).listen(0, '127.0.0.1')
  await once(website, 'listening')
  const { port } = website.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void website.close().closeAllConnections() }
}

test('a page of another website buys credits with the official client, and reads the receipt', async ({ page }) => {
  const stdin = { contents: SCRIPT, resolveDir: import.meta.dirname }
  const bundle = { bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2022' } as const
  const { outputFiles } = await build({ stdin, ...bundle })
  const website = await openWebsite(outputFiles[0]?.text ?? '')
  const key = generatePrivateKey()
  await giveUsdc(privateKeyToAddress(key), 1_000_000n)
  try {
    await page.goto(website.url)
    const call = `pay('${service().baseUrl}/api/v1/agent/purchase', '${key}')`
    expect(await page.evaluate(call)).toMatchObject({
      status: 200,
      body: { status: 'paid', credits_added: 100, wallet: privateKeyToAddress(key) },
      receipt: { success: true, network: 'eip155:84532' },
    })
  } finally {
    website.close()
  }
})
