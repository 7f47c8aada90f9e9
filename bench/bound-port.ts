import { once } from 'node:events'
import type { Server } from 'node:net'

/** Opens a server on a free port of this machine, and says which. */
export async function boundPort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return address.port
}
