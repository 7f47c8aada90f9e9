// The service without pages, as a process for kill tests. It kills itself at the moment named by FAILPOINT.

import { installApp } from '../server/app'
import { createApp } from '../server/boot/app'
import { endpoints } from '../server/endpoints'
import { readEnv } from '../server/env'
import { requestLog } from '../server/http/request-context'
import { routesOf } from '../server/http/route-table'
import { createHttpServer } from '../server/http/server'
import { createLog } from '../server/log'

const { FAILPOINT = '', ...variables } = process.env
const env = readEnv(variables)
// Unredacted, because the secrets check must see what reaches the log.
const log = createLog(env.LOG_LEVEL, { redact: false })
const app = await createApp(env, log, {
  failpoint(name) {
    if (name === FAILPOINT) process.kill(process.pid, 'SIGKILL')
  },
})
installApp(app)
const server = createHttpServer({
  routes: routesOf(endpoints),
  async fallback(_req, res) {
    res.writeHead(404).end()
  },
  trustedProxyHops: env.TRUSTED_PROXY_HOPS,
  log: requestLog(log),
  accepting: () => true,
  onTrouble: (error) => log.warn({ err: error }, 'new connections cannot be accepted as usual'),
})
const { port } = await server.listen(env.PORT)
process.send?.({ port })
// The test that started us has ended, with its chain and its database.
process.on('disconnect', () => process.exit(1))
process.on('SIGTERM', async () => {
  await server.drain()
  await app.close()
  process.exit(0)
})
