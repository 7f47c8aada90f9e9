// Worker thread of the embedded database: PGlite behind its socket server. Plain JavaScript, so that it starts without a loader.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const SYNC = Uint8Array.of(0x53, 0, 0, 0, 4)
const EXTENDED = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)))

const database = await PGlite.create({ dataDir: workerData.folder })
const server = new PGLiteSocketServer({
  db: wholePipelines(database),
  path: workerData.socket,
  maxConnections: workerData.maxConnections,
})
await server.start()
parentPort.postMessage('ready')

parentPort.once('message', async () => {
  await server.stop()
  await database.close()
  parentPort.close()
})

/**
 * The socket server queues single messages, so a large Parse/Bind/Execute of one client, arriving in pieces, could be cut by
 * another client's: all share one session, and the wrong statement would run. It keeps a client at the head of the queue
 * while a transaction is open, so we tell it that an unfinished pipeline is one too.
 */
function wholePipelines(db) {
  let unfinished = false
  return {
    waitReady: db.waitReady,
    runExclusive: (work) => db.runExclusive(work),
    isInTransaction: () => unfinished || db.isInTransaction(),
    execProtocolRawStream: async (message, options) => {
      unfinished = EXTENDED.has(message[0])
      try {
        return await db.execProtocolRawStream(message, options)
      } catch (error) {
        // the server would never serve another query after this: better to stop loudly and let clients see it
        setImmediate(() => {
          throw error
        })
        throw error
      }
    },
    // called with ROLLBACK when a client disconnects inside a transaction
    exec: async (sql) => {
      if (unfinished) await db.execProtocolRaw(SYNC)
      unfinished = false
      if (db.isInTransaction()) await db.exec(sql)
    },
  }
}
