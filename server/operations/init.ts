// `npm run init -- base-sepolia=https://…`: writes .env for these networks, and examines it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { printReport } from './doctor/doctor'
import { environmentFile, readAsked } from './environment-file'

const FILE = '.env'

try {
  const asked = readAsked(process.argv.slice(2))
  if (existsSync(FILE)) throw new Error(`There is a file ${FILE}, which may hold keys: move it away first.`)
  const { text, signers } = environmentFile(readFileSync('.env.example', 'utf8'), asked)
  // Only its owner reads the keys; a file that appeared meanwhile stays.
  writeFileSync(FILE, text, { mode: 0o600, flag: 'wx' })
  console.log(`Wrote ${FILE}. Keep a copy: it holds the keys of your signers.`)
  for (const { address, on } of signers) console.log(`  ${address} pays gas on ${on.join(', ')}`)
  console.log('')
  await printReport()
  process.exit(0)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exit(1)
}
