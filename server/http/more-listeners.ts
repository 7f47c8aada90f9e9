import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import type { Server as HttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'

/** Handles of the socket that a server listens on, beside its own. */
type MoreListeners = {
  /** Closes them. Resolves when their connections are closed too. */
  close: () => Promise<void>
}

/** So many open connections show that many may come at once. */
const MANY = 16
/** Beside the server's own. */
const COPIES = 7
const COPY_MS = 10_000
/** So many connections wait to be accepted. */
export const BACKLOG = 1_024

// Sends each copy of the socket that it gets back, and ends. It accepts no connection.
const SEND_BACK = `process.on('message', (copies, handle) => {
  for (let at = 0; at < copies; at++) process.send('copy', handle)
  process.disconnect()
})`

/**
 * Opens more handles of a server's listening socket once it has many connections. Node accepts one connection per handle in a turn of the
 * event loop. Under load a turn takes 10 ms, and with one handle the last of 256 new connections would wait for two seconds. Node 20
 * cannot copy a socket itself, so a small process that gets it sends it back. `onFailure`: the server goes on with its own handle.
 */
export function openMoreListeners(server: HttpServer, onFailure: (error: Error) => void): MoreListeners {
  const copies = new Set<Server>()
  let copying: ChildProcess | undefined
  let open = 0
  let closed = false

  function count(socket: Socket): void {
    open++
    socket.once('close', () => open--)
    if (open < MANY) return
    server.off('connection', count)
    const handle = handleOf(server)
    if (closed || !handle) return
    try {
      copy(handle)
    } catch (cause) {
      copying?.kill('SIGKILL')
      onFailure(new Error('the listening socket cannot be copied', { cause }))
    }
  }

  function copy(handle: SendHandle): void {
    // Without our environment: it has secrets.
    const env = { NODE_ENV: 'production' as const }
    const child = spawn(process.execPath, ['-e', SEND_BACK], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env,
      timeout: COPY_MS,
    })
    copying = child
    child.on('error', onFailure)
    child.on('message', (_text, received) => {
      if (received) listenOn(received)
    })
    child.once('exit', (code) => {
      copying = undefined
      if (code !== 0 && !closed) onFailure(new Error(`the process that copies the listening socket ended with ${code}`))
    })
    child.unref()
    child.send(COPIES, handle, (error) => {
      if (error && !closed) onFailure(error)
    })
  }

  function listenOn(handle: SendHandle): void {
    // As Node's HTTP servers take their connections.
    const one = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => server.emit('connection', socket))
    one.on('error', onFailure)
    // It sets the backlog of the shared socket again.
    one.listen(handle, BACKLOG)
    if (closed) one.close()
    else copies.add(one)
  }

  server.on('connection', count)
  return {
    async close() {
      closed = true
      copying?.kill('SIGKILL')
      await Promise.all([...copies].map((one) => new Promise((resolve) => one.close(resolve))))
    },
  }
}

// Sent instead of the server, because a server would start to accept in the process that gets it.
function handleOf(server: object & { _handle?: object | null }): SendHandle | undefined {
  return (server._handle ?? undefined) as SendHandle | undefined
}
