import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..', '..')

test('the migrations create exactly the tables of the schema', async () => {
  const prisma = path.join(root, 'node_modules', 'prisma', 'build', 'index.js')
  const args = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma']
  const { stdout } = await promisify(execFile)(process.execPath, [prisma, ...args], {
    cwd: root,
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  })
  expect(stdout).toContain('No difference detected')
}, 180_000)
