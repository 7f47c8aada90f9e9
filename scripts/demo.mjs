import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { demo } = await import('../devnet/demo.ts')
  await demo(process.argv.slice(2))
})
