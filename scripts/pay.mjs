import { bootstrap } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrap()
  const { register } = await import('tsx/esm/api')
  register()
  const { payOnce } = await import('../devnet/pay.ts')
  await payOnce(process.argv[2])
})
