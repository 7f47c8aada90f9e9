import { join } from 'node:path'
import { startChild } from './children.mjs'
import { root } from './steps.mjs'

/** @typedef {{ name: string, command: string, args: string[] }} Check */

const bin = (name) => join(root, 'node_modules', '.bin', name)

/** The folders whose imports are checked. */
const IMPORTING = ['server', 'app', 'components', 'devnet', 'test', 'e2e', 'bench', 'scripts', 'packages']

/**
 * What needs no service, no database and no chain, in two lanes for two cores: the checks of a lane run one after the other.
 * @type {Check[][]}
 */
export const LANES = [
  // Version 7 takes half of the CPU time of 6, whose interface other tools need.
  [{ name: 'Types', command: 'node', args: [join('node_modules', 'typescript-7', 'bin', 'tsc'), '--noEmit'] }],
  [
    { name: 'Style', command: bin('biome'), args: ['check', '.'] },
    { name: 'Imports', command: bin('depcruise'), args: ['--config', '.dependency-cruiser.mjs', ...IMPORTING] },
  ],
]

/**
 * The tests that need nothing but their own process, in worker processes that files share.
 * @type {Check}
 */
export const PURE_TESTS = {
  name: 'Pure tests',
  command: bin('vitest'),
  args: ['run', '--project', 'pure', '--maxWorkers=1', '--reporter=dot'],
}

/**
 * Runs lanes of checks beside each other and prints what each check said when it ends.
 * @param {Check[][]} lanes
 * @returns {Promise<import('./reports.mjs').Result>}
 */
export async function runChecks(lanes) {
  const results = await Promise.all(
    lanes.map(async (lane) => {
      const checks = []
      for (const check of lane) checks.push({ name: check.name, passed: await runCheck(check) })
      return checks
    }),
  )
  const failed = results.flat().filter(({ passed }) => !passed)
  return { passed: results.flat().length - failed.length, failed: failed.map(({ name }) => name), unstable: [] }
}

function runCheck({ name, command, args }) {
  const started = Date.now()
  const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) }
  const child = startChild(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    const end = (passed) => {
      const seconds = Math.round((Date.now() - started) / 1_000)
      if (output.trim()) console.log(`\n${output.trimEnd()}`)
      console.log(`${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`)
      resolve(passed)
    }
    child.once('error', (cause) => {
      output += cause.message
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
}
