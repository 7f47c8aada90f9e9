import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
let interrupted = false

/**
 * Starts a process that an interruption of ours ends too (`endTogether`).
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startChild(command, args, options) {
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

/** When we are interrupted, the started processes get the same signal, and we end with the last of them. Nothing more is started. */
export function endTogether() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      interrupted = true
      if (children.size === 0) process.exit(130)
      for (const child of children) child.kill(signal)
    })
  }
}
