import { type ParseArgsConfig, parseArgs } from 'node:util'
import { init } from './init'
import { pay } from './pay'

const USAGE = `quittance init [options]   writes a paid route, runs it and pays it once with test money
quittance pay <url>        pays a URL once and prints the receipt

  --pay-to <address>     the wallet that is paid; asked for if absent
  --framework <name>     express (default), hono, next or fastapi
  --url <url>            the facilitator URL; default: FACILITATOR_URL, else http://localhost:3000/sandbox
  --network <id>         default: eip155:84532 (Base Sepolia)
  --price <price>        default: $0.001
  --folder <path>        where to write; default: here
  --faucet <url>         gives test USDC: POST <url>/faucet/<address>; in the demo http://localhost:4021
  --no-install           does not install packages
  --no-run               does not run the route and pay it
  --force                replaces files that exist

PRIVATE_KEY is the wallet that pays (0x and 64 hex digits); without it a new one, with money from the faucet.`

const options = {
  'pay-to': { type: 'string' },
  framework: { type: 'string', default: 'express' },
  url: { type: 'string' },
  network: { type: 'string', default: 'eip155:84532' },
  price: { type: 'string', default: '$0.001' },
  folder: { type: 'string', default: '.' },
  faucet: { type: 'string' },
  'no-install': { type: 'boolean', default: false },
  'no-run': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsConfig['options']

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [command, target] = positionals
  const url = values.url ?? process.env.FACILITATOR_URL ?? 'http://localhost:3000/sandbox'
  if (values.help || command === undefined) return console.log(USAGE)
  if (command === 'pay' && target !== undefined) return pay(target, { url, faucet: values.faucet })
  if (command !== 'init') throw new Error(USAGE)
  const { framework, network, price, folder, faucet, force } = values
  const [install, run] = [!values['no-install'], !values['no-run']]
  await init({ payTo: values['pay-to'], framework, network, price, folder, faucet, force, install, run, url })
}

main().catch((cause: unknown) => {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exitCode = 1
})
