import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { installNpm, installPython } from './own-packages'
import { pay } from './pay'
import { type Template, templates } from './templates'

type InitOptions = {
  payTo: string | undefined
  framework: string
  network: string
  price: string
  folder: string
  faucet: string | undefined
  /** The facilitator URL. */
  url: string
  force: boolean
  install: boolean
  run: boolean
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const START_MS = 90_000

/** Writes a paid route, installs what it needs, runs it, and pays it once. Throws with the remedy if a step fails. */
export async function init(options: InitOptions): Promise<void> {
  const { framework, network, price, url, install, run } = options
  const template = templates[framework]
  if (!template) throw new Error(`--framework is one of ${Object.keys(templates).join(', ')}, not ${framework}`)
  if (!/^eip155:\d+$/.test(network)) throw new Error(`--network is an EVM network such as eip155:84532, not ${network}`)
  if (!/^\$\d+(\.\d+)?$/.test(price)) throw new Error(`--price is in dollars, such as $0.001, not ${price}`)
  await requireNetwork(url, network)
  const payTo = options.payTo ?? (await asked())
  if (!ADDRESS.test(payTo)) throw new Error(`"${payTo}" is no Ethereum address: it has 0x and 40 hex digits`)
  const folder = resolve(options.folder)
  for (const [file, text] of Object.entries(template.files({ payTo, network, price })))
    write(join(folder, file), text, options.force)
  setVariable(join(folder, '.env'), 'FACILITATOR_URL', url)
  if (install) (template.by === 'npm' ? installNpm : installPython)(folder, template.packages)
  if (run) await runAndPay(template, folder, options)
  else console.log(`Run it    cd ${folder} && ${template.start('8402').join(' ')}`)
}

async function asked(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('Which wallet is paid? Add --pay-to <address>.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question('Which wallet is paid (0x…)? ')).trim()
  } finally {
    terminal.close()
  }
}

/** Throws unless a facilitator answers at this URL and serves the network. */
async function requireNetwork(url: string, network: string): Promise<void> {
  const response = await fetch(`${url}/supported`).catch(() => null)
  if (response === null) throw new Error(`No facilitator answers at ${url}: start it, or name another one with --url.`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}/supported was answered with ${response.status}: ${text.slice(0, 200)}`)
  if (!text.includes(`"${network}"`)) throw new Error(`${url} does not serve ${network}: see ${url}/supported`)
}

function write(path: string, text: string, force: boolean): void {
  if (existsSync(path) && !force) throw new Error(`${path} exists: remove it, name another --folder, or add --force.`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`Wrote     ${path}`)
}

/** Sets one variable of an environment file and keeps the others. */
function setVariable(path: string, name: string, value: string): void {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  const others = lines.filter((line) => !line.startsWith(`${name}=`) && line !== '')
  writeFileSync(path, `${[...others, `${name}=${value}`].join('\n')}\n`, { mode: 0o600 })
  console.log(`Wrote     ${path} (${name})`)
}

/** Runs the route on a free port until it has been paid once. */
async function runAndPay(template: Template, folder: string, { url, faucet }: InitOptions): Promise<void> {
  const port = await freePort()
  const [command = '', ...args] = template.start(port)
  // In a group of its own: `npx` and others start further processes.
  const server = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PORT: port, FACILITATOR_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
  }
  server.once('error', (cause) => {
    output += cause.message
  })
  try {
    const route = `http://localhost:${port}/weather`
    await sells(
      route,
      () => server.exitCode !== null || server.pid === undefined,
      () => output,
    )
    await pay(route, { url, faucet })
    console.log(`Run it    cd ${folder} && ${template.start('8402').join(' ')}`)
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
  }
}

/** Waits until a route asks for money. Throws its output if its server ends or does not. */
async function sells(route: string, hasEnded: () => boolean, output: () => string): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until && !hasEnded(); await delay(250)) {
    const response = await fetch(route).catch(() => null)
    if (response?.status === 402) return
    // A route that is misconfigured says so itself.
    if (response && response.status !== 404) throw new Error(`${route} was answered with ${response.status}:\n${output()}`)
  }
  throw new Error(`The route does not sell:\n${output()}`)
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return String(typeof address === 'object' && address !== null ? address.port : 8402)
}
