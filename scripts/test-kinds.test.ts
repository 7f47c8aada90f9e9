import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './steps.mjs'
import { testsByKind } from './test-kinds.mjs'

/** What `npm run test:long` alone runs and does not say in its name. */
const LONG = [
  'components/screens/start/programs.test.ts',
  'components/screens/start/solana-programs.test.ts',
  'components/site/docs/programs.test.tsx',
  'test/docs-programs.test.ts',
  'test/official.evm.fuzz.test.ts',
  'test/official.permit2.fuzz.test.ts',
  'test/official.svm.fuzz.test.ts',
]

test('every test file belongs to npm test, to the journeys or to long runs', () => {
  const kinds = Object.values(testsByKind()).flat()
  const rest = testFiles().filter((file) => !kinds.includes(file) && !/\.long\.test\.ts$/.test(file))
  expect(rest).toEqual(LONG)
})

/** The test files of the project, without the journeys. */
function testFiles(): string[] {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\..*|node_modules|e2e)$/.test(entry.name))
    .map(({ name }) => name)
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  return files.filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules')).sort()
}
