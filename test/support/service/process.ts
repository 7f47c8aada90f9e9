import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect } from 'vitest'
import { bundled } from '../../../devnet/bundle'
import { needs } from '../../../devnet/test-kind'
import { keepOutput, keepSecrets } from '../logs'
import type { RpcProxy } from '../nodes/faulty-node'
import { until } from '../until'
import { documentedAt } from './documented'

/** A service process. */
export type ServiceProcess = {
  url: string
  /** Resolves when the process has ended, with its exit code or the signal that ended it. */
  gone: Promise<[code: number | null, signal: NodeJS.Signals | null]>
  kill: (signal: NodeJS.Signals) => Promise<void>
  /** Pauses the process until `resume`, like a suspended virtual machine. */
  pause: () => void
  resume: () => void
  /** Its output so far. */
  output: () => string
}

const PROGRAM = path.join(import.meta.dirname, 'service.ts')

/** Starts the service and waits until it listens and accepts payments, or its output contains `awaited`. After `withinMs` it is killed. */
export async function startServiceProcess(
  env: Record<string, string>,
  awaited = '"to":"ready"',
  withinMs = 60_000,
): Promise<ServiceProcess> {
  needs('process')
  const { PATH = '', HOME = '' } = process.env
  keepSecrets(env)
  const child = fork(await bundled(PROGRAM), {
    // It lives for seconds: optimizing its code costs more than it saves.
    execArgv: [...process.execArgv, '--no-opt'],
    env: { PATH, HOME, PORT: '0', TRUSTED_PROXY_HOPS: '1', NODE_ENV: 'test', LOG_LEVEL: 'trace', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const keep = (piece: Uint8Array) => {
    output += piece.toString()
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  keepOutput(child.stdout, `service-${child.pid}-out`)
  keepOutput(child.stderr, `service-${child.pid}-err`)
  const gone = once(child, 'exit').then(([code, signal]): Awaited<ServiceProcess['gone']> => [code, signal])
  const ended = gone.then(() => Promise.reject(new Error(`the service ended:\n${output}`)))
  let port = 0
  child.once('message', (message: { port: number }) => {
    port = message.port
  })
  const isUp = () => port !== 0 && output.includes(awaited)
  await Promise.race([until(isUp, `the service to say ${awaited}`, withinMs), ended]).catch(async (cause) => {
    child.kill('SIGKILL')
    await gone
    throw cause
  })
  return {
    url: `http://127.0.0.1:${port}`,
    gone,
    async kill(signal) {
      child.kill(signal)
      await gone
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    output: () => output,
  }
}

/** Sends requests to a service that kills itself at that moment, until it is dead. */
export async function askUntilDead(doomed: ServiceProcess, moment: string, ask: () => Promise<unknown>): Promise<void> {
  let alive = true
  void doomed.gone.then(() => {
    alive = false
  })
  // Four times a second: the sandbox allows five.
  await until(() => ask().then(() => !alive), `the service to die when ${moment}`, 60_000, 250)
  await killedItself(doomed)
}

/** Waits until a service has killed itself. Throws if it ended otherwise, as by an error. */
export async function killedItself({ gone, output }: Pick<ServiceProcess, 'gone' | 'output'>): Promise<void> {
  const end = await gone
  expect(end, output()).toEqual([null, 'SIGKILL'])
}

/** From now on the node accepts a sent transaction, and the sending service is killed while it waits for the answer. */
export function killWhileSending(doomed: ServiceProcess, node: Pick<RpcProxy, 'disturb' | 'forward'>, send: string): void {
  node.disturb(async ({ method, params }) => {
    if (method !== send) return undefined
    await node.forward(method, params)
    await doomed.kill('SIGKILL')
    return 'cut'
  })
}

export type ProcessAnswer = { status: number; body: Record<string, unknown>; headers: Headers } | 'no answer'

/** Posts to a service from the given client address; a broken connection resolves with 'no answer'. */
export async function postTo(
  service: Pick<ServiceProcess, 'url'>,
  route: string,
  body: unknown,
  ip: string,
  headers: Record<string, string> = {},
): Promise<ProcessAnswer> {
  const answer = await answerTo(`${service.url}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
    body: JSON.stringify(body),
  })
  return answer === 'no answer' ? answer : documentedAt('POST', route, answer)
}

async function answerTo(url: string, init: RequestInit): Promise<ProcessAnswer> {
  try {
    const response = await fetch(url, init)
    return { status: response.status, headers: response.headers, body: await response.json() }
  } catch {
    return 'no answer'
  }
}
