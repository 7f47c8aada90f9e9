import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { x402HTTPClient } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bundled } from '../../../devnet/bundle'
import { needs } from '../../../devnet/test-kind'
import { until } from '../../../test/support/until'
import type { MerchantSettings } from './settings'

/** A merchant as a process of its own; `url` is its paid route. */
export type MerchantProcess = { url: string; kill: () => Promise<void>; gone: Promise<unknown> }

/** Starts a program of this folder, with settings in `MERCHANT`, and waits until it says its port. */
export async function startProgram(file: string, settings: object) {
  needs('process')
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [await bundled(path.join(import.meta.dirname, file))], {
    env: { PATH, HOME, NODE_ENV: 'test', MERCHANT: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
    port: Number(/port (\d+)/.exec(output)?.[1]),
    gone,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Starts a merchant and waits until it listens. */
export async function startMerchantProcess(settings: MerchantSettings): Promise<MerchantProcess> {
  const { port, ...rest } = await startProgram('merchant.ts', settings)
  return { url: `http://127.0.0.1:${port}/weather`, ...rest }
}

/** The header of one signed payment for a route, made by the official client. */
export async function signedHeader(url: string, key: Hex): Promise<Record<string, string>> {
  const client = registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key) })
  const http = new x402HTTPClient(client)
  const asked = await fetch(url)
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), {})
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
}

/** Status and body of a request with a payment; `no answer` if the connection broke. */
export async function ask(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; weather: unknown } | 'no answer'> {
  try {
    const response = await fetch(url, { headers })
    const body: unknown = await response.json()
    return {
      status: response.status,
      weather: typeof body === 'object' && body !== null ? Reflect.get(body, 'weather') : undefined,
    }
  } catch {
    return 'no answer'
  }
}
