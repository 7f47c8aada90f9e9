// The program of the local identity provider, told what it is by IDENTITY (JSON); it ends with whoever started it.
import { once } from 'node:events'
import { optionsSchema } from './options'
import { identityServer } from './provider'

try {
  const options = optionsSchema.parse(JSON.parse(process.env.IDENTITY ?? ''))
  // This machine only: it believes everybody.
  const server = identityServer(options).listen(Number(new URL(options.issuer).port), '127.0.0.1')
  await once(server, 'listening')
  process.once('SIGTERM', () => process.exit())
  console.log(`Listening for ${options.issuer}`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exit(1)
}
