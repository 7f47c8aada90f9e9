import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../support/source-files'
import { compose } from './compose'
import { at, yamlOf } from './yaml'

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const { version } = JSON.parse(textOf('package.json'))

test('what names a version names that of package.json', () => {
  for (const service of ['migration', 'service'])
    expect(at(compose, 'services', service, 'image')).toBe(`$${`{IMAGE:-quittance}:${version}`}`)
  expect(at(yamlOf('ops/kubernetes/kustomization.yaml'), 'images', 0)).toMatchObject({ newName: 'quittance', newTag: version })
  expect(JSON.parse(textOf('packages/quittance/package.json')).version).toBe(version)
  expect(/^version = "(.*)"$/m.exec(textOf('packages/python/pyproject.toml'))?.[1]).toBe(version)
  for (const [name] of textOf('packages/quittance/README.md').matchAll(/quittance-x402-\d[\d.]*\.tgz/g))
    expect(name).toBe(`quittance-x402-${version}.tgz`)
  expect(textOf('docs/operations.md')).toContain(` quittance:${version}\n`)
  expect(textOf('CHANGELOG.md')).toContain(`\n## ${version} — `)
})

/** Runs the script with a docker that writes down what it is told; it fails if told so. */
async function runImage(args: string[], env: Record<string, string>, code = 0) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docker-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [told, docker] = [path.join(folder, 'told'), path.join(folder, 'docker')]
  writeFileSync(told, '')
  writeFileSync(docker, `#!/bin/sh\necho "$*" >> ${told}\nexit ${code}\n`)
  chmodSync(docker, 0o755)
  const ran = promisify(execFile)(process.execPath, [path.join(ROOT, 'scripts', 'image.mjs'), ...args], {
    env: { PATH: `${folder}:${process.env.PATH}`, NODE_ENV: 'test', ...env },
  })
  const failed = await ran.then(
    () => null,
    ({ stderr }: { stderr: string }) => stderr,
  )
  return { told: readFileSync(told, 'utf8').trim().split('\n'), failed }
}

test('npm run image builds the service under its name and version, and pushes both tags', async () => {
  expect(await runImage([], {})).toEqual({
    told: [`build --target runtime --tag quittance:${version} --tag quittance:latest .`],
    failed: null,
  })
  const name = 'registry.example.com/pay/quittance'
  expect(await runImage(['--push'], { IMAGE: name })).toEqual({
    told: [
      `build --target runtime --tag ${name}:${version} --tag ${name}:latest .`,
      `push ${name}:${version}`,
      `push ${name}:latest`,
    ],
    failed: null,
  })
})

test('npm run image pushes nothing that was not built', async () => {
  const { told, failed } = await runImage(['--push'], {}, 1)
  expect(told).toHaveLength(1)
  expect(failed).toContain('docker build failed')
})
