import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrapTypeScript()
  const { sendAgent } = await import('../devnet/commands.ts')
  await sendAgent(process.argv[2])
})
