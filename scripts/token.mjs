import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { printToken } = await import('../devnet/commands.ts')
  await printToken(process.argv[2])
})
