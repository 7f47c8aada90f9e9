import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { envSchema } from '../../server/env/env'
import { keepOutput } from '../support/logs'
import { ADMIN_KEY } from '../support/service/harness'
import { ROOT } from '../support/source-files'
import { until } from '../support/until'
import { type Image, runBeside, startContainer } from './image'

/** What an operator must set; all other variables of `.env.example` stay empty there. */
export const SECRETS = { ADMIN_KEY, AUTH_SECRET: 'the-auth-secret-of-the-tests-0123456789' }

/** As `docker run --env-file .env` gives it: the variables of the example, empty. */
function environmentFile(): Record<string, string> {
  const lines = readFileSync(path.join(ROOT, '.env.example'), 'utf8').split('\n')
  const set = lines.flatMap((line) => /^([A-Z0-9_]+)=$/.exec(line)?.[1] ?? [])
  expect(set).toEqual(expect.arrayContaining(['PORT', 'DATA_DIR']))
  return { ...Object.fromEntries(set.map((name) => [name, ''])), ...SECRETS }
}

/**
 * The service of the image starts with an environment file, is healthy on its port, writes to its volume only, and stops when told.
 * Without `pages` it does not wait for them.
 */
export async function expectRuns(built: Image, pages: boolean): Promise<void> {
  const image = pages ? built : { ...built, command: [...built.command, '--pages-later'] }
  const env = environmentFile()
  const before = filesOf(image)
  const container = await startContainer(image, env)
  let output = ''
  for (const stream of [container.stdout, container.stderr]) {
    stream?.on('data', (piece: Uint8Array) => {
      output += piece.toString()
    })
    keepOutput(stream, `image-${container.pid}`)
  }
  const ended = once(container, 'exit')
  const whyNot = ended.then(() => Promise.reject(new Error(`the service ended:\n${output}`)))
  whyNot.catch(() => {})
  await Promise.race([until(() => output.includes('"listening"'), 'the service', 60_000), whyNot])
  // The health check has no other port than its own default.
  expect(await Promise.race([healthy(), whyNot]), output).toMatchObject({ code: 0 })
  const port = String(envSchema.shape.PORT.parse(''))
  const ask = (address: string) =>
    runBeside(
      container,
      image,
      [
        'node',
        '-e',
        `fetch('http://127.0.0.1:${port}${address}', { headers: { authorization: 'Bearer ${ADMIN_KEY}' } }).then(async (r) => console.log(r.status, await r.text()))`,
      ],
      env,
    )
  expect((await ask('/admin/tenants?limit=1')).output).toMatch(/^200 /)
  if (pages) expect((await ask('/home')).output).toMatch(/^200 <!DOCTYPE html>/)
  expect(readFileSync(`/proc/${container.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t/m)
  expect(existsSync(path.join(image.root, 'data', 'database')) || readdirSync(path.join(image.root, 'data')).length > 0).toBe(
    true,
  )
  expect(statSync(path.join(image.root, 'data')).uid).toBe(1000)
  expect(filesOf(image)).toEqual(before)
  container.kill('SIGTERM')
  expect(await ended).toEqual([0, null])

  async function healthy(): Promise<{ code: number; output: string }> {
    await until(async () => (await runBeside(container, image, image.health, env)).code === 0, 'the health check', 60_000, 1_000)
    return runBeside(container, image, image.health, env)
  }
}

/** The local world of the demo's image starts without any other network, pays in each of its ways, shows its pages, and stops when told. */
export async function expectDemo(image: Image): Promise<void> {
  const container = await startContainer(image, {}, false)
  let output = ''
  for (const stream of [container.stdout, container.stderr]) {
    stream?.on('data', (piece: Uint8Array) => {
      output += piece.toString()
    })
    keepOutput(stream, `demo-image-${container.pid}`)
  }
  const ended = once(container, 'exit')
  const whyNot = ended.then(() => Promise.reject(new Error(`the demo ended:\n${output}`)))
  whyNot.catch(() => {})
  // Its last lines, after all payments and the pages.
  const isUp = () => output.includes('npm run pay')
  await Promise.race([until(isUp, 'the demo to be up', 300_000), whyNot])
  expect(output).toMatch(/ GET \/weather .*\n(?:.*\n)*.* GET \/chart /)
  const asked = ['node', '-e', `fetch('http://127.0.0.1:3000/home').then(async (r) => console.log(r.status, await r.text()))`]
  expect((await runBeside(container, image, asked, {})).output).toMatch(/^200 <!DOCTYPE html>/)
  expect(readFileSync(`/proc/${container.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000\t/m)
  container.kill('SIGTERM')
  await ended
}

/** The files of the image outside its volumes. */
const filesOf = ({ root, folder }: Image): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map(String)
    .filter((file) => !file.startsWith('node_modules'))
    .sort()
