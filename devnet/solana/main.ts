// The program of one local Solana chain: `main.ts '{"cluster":"devnet", …}'`. It ends with the process that started it.

import { startRpcServer } from './rpc-server'
import { optionsSchema } from './solana'

try {
  const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? ''))
  // The virtual machine is native code, and only loading it shows whether this platform has it.
  await import('litesvm/dist/internal.js').catch((cause: unknown) => {
    throw new Error(
      `There is no local Solana for this machine (${process.platform} ${process.arch}): the npm package litesvm has no program for it.`,
      { cause },
    )
  })
  const { startValidator } = await import('./validator')
  const validator = await startValidator(options)
  const server = await startRpcServer(options.port, validator.answer)
  process.once('SIGTERM', () => {
    validator.stop()
    process.exit()
  })
  console.log(`Listening on 127.0.0.1:${server.port}`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exit(1)
}
