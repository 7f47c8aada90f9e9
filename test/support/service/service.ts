// The service without Next, as a process for kill tests. It kills itself at the moment named by FAILPOINT. With PAGE_MS, each page takes
// the thread for so long, as a long page of Next does.

import { installApp } from '../../../server/app'
import { createLog } from '../../../server/base/log'
import { createApp } from '../../../server/boot/app'
import { createPages } from '../../../server/boot/pages'
import { endpoints } from '../../../server/endpoints'
import { readEnv } from '../../../server/env/env'
import { browserPolicy } from '../../../server/http/browser-policy'
import type { Render } from '../../../server/http/captured-response'
import type { PageTable } from '../../../server/http/page-table'
import { requestLog } from '../../../server/http/request-context'
import { routesOf } from '../../../server/http/route-table'
import { createHttpServer } from '../../../server/http/server'

const { FAILPOINT = '', PAGE_MS = '', ...variables } = process.env
const env = readEnv(variables)
// Unredacted, because the secrets check must see what reaches the log.
const log = createLog(env.LOG_LEVEL, { redact: false })
const app = await createApp(env, log, {
  failpoint(name) {
    if (name === FAILPOINT) process.kill(process.pid, 'SIGKILL')
  },
})
installApp(app)
let renders = 0
const render: Render = async (_req, res) => {
  if (PAGE_MS === '') return void res.writeHead(404).end()
  const until = performance.now() + Number(PAGE_MS)
  while (performance.now() < until);
  res.end(`page ${++renders}`)
}
const table: PageTable = ([first]) => first !== 'no-such'
const policy = browserPolicy({ ...app.config, walletConnect: false, development: false })
const server = createHttpServer({
  routes: routesOf(endpoints),
  fallback: render,
  ...(PAGE_MS === '' ? {} : { pages: createPages(app, { show: render, table: async () => table }, policy) }),
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
