import { existsSync } from 'node:fs'
import { bootstrapTypeScript } from './bootstrap.mjs'
import { main } from './steps.mjs'

const at = (path) => new URL(`../${path}`, import.meta.url)
// Without the packages of development only the built one runs.
const built = at('dist/doctor.mjs')

await main(async () => {
  if (!existsSync(at('node_modules/tsx')) && existsSync(built)) return import(built.href)
  await bootstrapTypeScript()
  await import('../server/operations/doctor/main.ts')
})
