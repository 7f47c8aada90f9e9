// x402-rs, the facilitator in Rust: the environment variable X402_RS_BIN names its binary.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { spawnTied, stopChild } from '../../devnet/child'
import { until } from '../../test/support/until'
import type { AdapterContext, Facilitator, Skipped } from '../adapter'

/** Contracts without which it does not start: its signature validator, Permit2 and its Permit2 proxy. Payments by EIP-3009 call none. */
const REQUIRED_CONTRACTS = [
  '0xdAcD51A54883eb67D95FAEb2BBfdC4a9a6BD2a3B',
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  '0x402085c248EeA27D92E8b30b2C58ed07f9E20001',
]
/** The code of a contract that only stops. */
const STOP = '0x00'
const START_MS = 30_000
const STOP_MS = 2_000

/** Starts the binary with a configuration of one network and all signers. */
export async function start(context: AdapterContext): Promise<Facilitator | Skipped> {
  const { X402_RS_BIN } = process.env
  if (!X402_RS_BIN) return { skipped: 'x402-rs: set X402_RS_BIN to the path of its binary' }
  for (const address of REQUIRED_CONTRACTS) await setCode(context.directRpcUrl, address)
  const file = path.join(context.folder, 'config.json')
  await writeFile(file, JSON.stringify(configOf(context), null, 2))
  const child = spawnTied(X402_RS_BIN, ['--config', file], { cwd: context.folder, output: 'pipe' })
  let output = ''
  const keep = (piece: Buffer) => {
    output = `${output}${piece}`.slice(-2_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const url = `http://127.0.0.1:${context.port}`
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error(`x402-rs ended before it took payments: ${output}`)))
  })
  await Promise.race([until(() => answers(`${url}/supported`), 'x402-rs to listen', START_MS), ended])
  ended.catch(() => {})
  if (child.pid === undefined) throw new Error('x402-rs has no process id')
  return { name: 'x402-rs', url, pid: child.pid, stop: () => stopChild(child, STOP_MS) }
}

function configOf({ port, network, signerKeys, rpcUrl }: AdapterContext) {
  return {
    port,
    host: '127.0.0.1',
    chains: { [network]: { eip1559: true, flashblocks: false, signers: signerKeys, rpc: [{ http: rpcUrl }] } },
    schemes: [{ id: 'v2-eip155-exact', chains: network }],
  }
}

async function setCode(chainUrl: string, address: string): Promise<void> {
  await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, STOP] }),
  })
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  return response?.ok ?? false
}
