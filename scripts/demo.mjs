import { bootstrap } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrap()
  // Only now: on a fresh clone these packages were not there a moment ago.
  const { register } = await import('tsx/esm/api')
  register()
  const { demo } = await import('../devnet/demo.ts')
  await demo(process.argv.slice(2))
})
