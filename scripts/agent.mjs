import { bootstrap } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrap()
  const { register } = await import('tsx/esm/api')
  register()
  const { sendAgent } = await import('../devnet/agent.ts')
  await sendAgent(process.argv[2])
})
