import { bootstrap } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrap()
  const { register } = await import('tsx/esm/api')
  register()
  await import('../server/doctor/main.ts')
})
