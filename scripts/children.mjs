import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
let interrupted = false

/**
 * Starts a process that an interruption of ours ends too (`endTogether`). Throws after an interruption.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startChild(command, args, options) {
  if (interrupted) throw new Error('Interrupted.')
  const child = spawn(command, args, { ...options, shell: process.platform === 'win32' })
  children.add(child)
  const ended = () => {
    children.delete(child)
    if (interrupted && children.size === 0) process.exit(130)
  }
  child.once('error', ended)
  // A grandchild may keep the output open for longer.
  child.once('exit', ended)
  return child
}

/**
 * When we are interrupted, the started processes get the same signal, we end with the last of them, and no other starts. A step that runs
 * meanwhile cleans up and ends us itself (`steps.mjs`).
 */
export function endTogether() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interrupted = true
      for (const child of children) child.kill(signal)
    })
  }
}
