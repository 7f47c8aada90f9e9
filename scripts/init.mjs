import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  await import('../server/operations/init.ts')
})
