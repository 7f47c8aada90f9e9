import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPrograms } from '../../scripts/build.mjs'
import { freshDatabase } from '../support/database/database'
import { ROOT } from '../support/source-files'
import { buildImage, canIsolate, type Image, imageFolder, installedPackages, isIgnored, runIn, type Substitute } from './image'
import { expectRuns, SECRETS } from './image-checks'

const { folder, remove } = imageFolder()
afterAll(remove)

/** Does what takes minutes from the packages of this clone: the installations, and the build without pages. */
const quickly: Substitute = async (command, { root }) => {
  const quittance = path.join(root, 'quittance')
  if (command.startsWith('npm install --omit=dev ')) {
    for (const place of installedPackages()) cpSync(path.join(ROOT, place), path.join(quittance, place), { recursive: true })
    return true
  }
  if (command.startsWith('npm install --include=dev ')) return true
  if (command !== 'node scripts/build.mjs') return false
  mkdirSync(path.join(quittance, '.next', 'standalone'), { recursive: true })
  await buildPrograms(path.join(quittance, 'dist'))
  return true
}

describe.runIf(canIsolate())('the image, from an empty folder', () => {
  let image: Image
  beforeAll(async () => {
    image = await buildImage('runtime', folder, quickly)
  })

  test('runs with an environment file of empty values: healthy on its port, as its user, and writes to its volume only', async () => {
    await expectRuns(image, false)
    // What only pages and management use is a file of its own.
    expect(statSync(path.join(image.root, 'quittance', 'dist', 'server.mjs')).size).toBeLessThan(5_100_000)
  })

  test('migrates and examines without further packages, also where an addon has no build', async () => {
    const database = await freshDatabase()
    onTestFinished(database.close)
    const url = database.url
    expect(await runIn(image, ['node', 'dist/migrate.mjs'], { MIGRATION_DATABASE_URL: url })).toBe(
      'The database has all migrations.\n',
    )
    const said = () => runIn(image, ['node', 'dist/doctor.mjs'], SECRETS).catch((failed: Error) => failed.message)
    expect(await said()).toMatch(/ok +signatures: /)
    // As on linux-arm64, for which the addon's package has no build.
    rmSync(path.join(image.root, 'quittance', 'node_modules', 'secp256k1', 'prebuilds'), { recursive: true })
    expect(await said()).toMatch(/warning +signatures: by libsecp256k1 in WebAssembly/)
  })
})

test('a file that .dockerignore names stays out of the image', () => {
  const rules = '.env\n.env.*\n!.env.example\n**/node_modules\n*.tsbuildinfo\nops\n'
  const files = [
    '.env',
    '.env.local',
    '.env.example',
    'node_modules/a',
    'test/legacy/node_modules/a',
    'a.tsbuildinfo',
    'ops/x',
    'opsx',
  ]
  expect(files.filter((file) => isIgnored(file, rules))).toEqual(files.filter((file) => !['.env.example', 'opsx'].includes(file)))
})
