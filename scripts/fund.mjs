import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { fundWallet } = await import('../devnet/commands.ts')
  await fundWallet(process.argv[2], process.argv[3])
})
