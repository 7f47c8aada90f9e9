// Stops a test server and deletes its folder when the parent process ends, even by kill -9.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const folder = process.argv[2]

process.stdin.resume().once('close', async () => {
  const pid = serverPid()
  if (pid) await stop(pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit(0)
})

function serverPid() {
  try {
    return Number(readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

/** SIGQUIT is PostgreSQL's immediate shutdown; it takes its children with it. */
async function stop(pid) {
  try {
    process.kill(pid, 'SIGQUIT')
    for (let tries = 0; tries < 100; tries++) {
      await wait(50)
      process.kill(pid, 0)
    }
  } catch {
    // The process has ended.
  }
}
