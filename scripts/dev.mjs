import { importProgram } from './bootstrap.mjs'
import { main } from './steps.mjs'

await main(async () => {
  const { develop } = await importProgram('devnet/demo.ts')
  await develop()
})
