import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { payOnce } = await import('../devnet/commands.ts')
  await payOnce(process.argv[2])
})
