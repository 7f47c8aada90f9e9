import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { printTestToken } = await import('../devnet/commands.ts')
  await printTestToken(process.argv[2], process.argv[3])
})
