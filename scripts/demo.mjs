import { importProgram } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  const { demo } = await importProgram('devnet/demo.ts')
  await demo(process.argv.slice(2))
})
