import { bootstrap } from './bootstrap.mjs'
import { LANES, PURE_TESTS, runChecks } from './checks.mjs'
import { endTogether } from './children.mjs'
import { main } from './steps.mjs'

// `npm run verify`: style, types, imports and the tests that need no service. It takes a minute and a half at most.
await main(async () => {
  await bootstrap()
  endTogether()
  const [types = [], rest = []] = LANES
  const { passed, failed } = await runChecks([types, [...rest, PURE_TESTS]])
  console.log(`\n${passed} checks passed, ${failed.length} failed`)
  process.exitCode = failed.length > 0 ? 1 : 0
})
