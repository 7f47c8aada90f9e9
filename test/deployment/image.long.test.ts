import { afterAll, describe, test } from 'vitest'
import { buildImage, canIsolate, type Image, imageFolder } from './image'
import { expectDemo, expectRuns } from './image-checks'

const { folder, remove } = imageFolder()
afterAll(remove, 600_000)

// Two installations with an empty cache of npm, and the build of the pages.
const BUILD_MS = 1_200_000

describe.runIf(canIsolate())('the image, from an empty folder, each instruction as written', () => {
  const built = new Map<string, Image>()

  test('shows pages, is healthy, and writes to its volume only', { timeout: BUILD_MS }, async () => {
    await expectRuns(await buildImage('runtime', folder, undefined, built), true)
  })

  test('of the demo pays in its local world', { timeout: BUILD_MS }, async () => {
    await expectDemo(await buildImage('demo', folder, undefined, built))
  })
})
