import { bootstrap } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  await bootstrap()
  const { register } = await import('tsx/esm/api')
  register()
  const { printToken } = await import('../devnet/token.ts')
  await printToken(process.argv[2])
})
