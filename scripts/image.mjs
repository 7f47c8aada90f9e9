import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { contentOf, main, root } from './steps.mjs'

// Builds the image of this version under its name, and pushes it: `npm run image [-- --push]`. IMAGE is the name, such as
// registry.example.com/quittance; compose.yaml reads it too.
await main(async () => {
  const { version } = JSON.parse(contentOf(join(root, 'package.json')))
  const name = process.env.IMAGE || 'quittance'
  const tags = [version, 'latest'].map((tag) => `${name}:${tag}`)
  docker('build', '--target', 'runtime', ...tags.flatMap((tag) => ['--tag', tag]), '.')
  if (process.argv.includes('--push')) for (const tag of tags) docker('push', tag)
  console.log(tags.join('\n'))
})

function docker(...args) {
  const { status, error } = spawnSync('docker', args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`docker ${args[0]} failed${error ? `: ${error.message}` : ''}.`)
}
