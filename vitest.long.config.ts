import { mergeConfig } from 'vitest/config'
import usual from './vitest.config'

// What takes hours: `npm run test:long`. One file after the other, so that each has the machine for itself.
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [], exclude: ['**/node_modules/**'] } },
  { test: { include: ['test/long/**/*.long.test.ts'], maxWorkers: 1 } },
)
