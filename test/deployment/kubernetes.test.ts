import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { envSchema } from '../../server/env/env'
import { ROOT } from '../support/source-files'
import { copiesOf, stagesOf } from './dockerfile'
import { at, documentsOf, itemsOf, type Node, yamlOf } from './yaml'

const FOLDER = 'ops/kubernetes'
const kustomization = yamlOf(`${FOLDER}/kustomization.yaml`)
const files = itemsOf(at(kustomization, 'resources')).map(String)
const objects = files.flatMap((file) => documentsOf(`${FOLDER}/${file}`))

function object(kind: string): Node {
  const found = objects.filter((one) => at(one, 'kind') === kind)
  expect(found, kind).toHaveLength(1)
  return found[0] ?? null
}

const podOf = (kind: string) => at(object(kind), 'spec', 'template')
const containerOf = (kind: string) => {
  expect(itemsOf(at(podOf(kind), 'spec', 'containers'))).toHaveLength(1)
  return at(podOf(kind), 'spec', 'containers', 0)
}
const labelsOf = (kind: string) => at(podOf(kind), 'metadata', 'labels')
const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const runtime = stagesOf(textOf('Dockerfile')).find(({ name }) => name === 'runtime')

/** The names of environment variables that an object gives to its container. */
const variablesIn = (kind: string) => itemsOf(at(containerOf(kind), 'env')).map((one) => String(at(one, 'name')))

describe('ops/kubernetes', () => {
  test('consists of files that are there', () => {
    for (const file of files) expect(existsSync(path.join(ROOT, FOLDER, file)), file).toBe(true)
    expect(objects.map((one) => at(one, 'kind')).sort()).toEqual(
      ['Deployment', 'Ingress', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'].sort(),
    )
  })

  test('names only variables that the service reads', () => {
    const literals = itemsOf(at(kustomization, 'configMapGenerator', 0, 'literals')).map((one) => String(one).split('=')[0])
    const named = [...literals, ...variablesIn('Deployment'), ...variablesIn('Job')]
    expect(named).toEqual(expect.arrayContaining(['BASE_URL', 'TRUSTED_PROXY_HOPS', 'PORT', 'MIGRATION_DATABASE_URL']))
    const known = Object.keys(envSchema.shape)
    expect(named.filter((name) => name === undefined || !known.includes(name))).toEqual([])
    // The comment names the variables of the secret.
    const told = [...textOf(`${FOLDER}/kustomization.yaml`).matchAll(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)].map(([name]) => name)
    expect(told.filter((name) => name !== 'SERVICE_PASSWORD' && !known.includes(name))).toEqual([])
  })

  test('runs the image of this version', () => {
    const { version } = JSON.parse(textOf('package.json'))
    expect(at(kustomization, 'images', 0, 'newTag')).toBe(version)
    for (const kind of ['Deployment', 'Job']) expect(at(containerOf(kind), 'image')).toBe(at(kustomization, 'images', 0, 'name'))
  })

  test('asks /health whether to restart and /health?ready=1 whether to send requests, on the port of the service', () => {
    const container = containerOf('Deployment')
    const port = at(container, 'ports', 0)
    expect(itemsOf(at(container, 'env'))).toContainEqual({ name: 'PORT', value: String(at(port, 'containerPort')) })
    for (const [probe, address] of [
      ['startupProbe', '/health'],
      ['livenessProbe', '/health'],
      ['readinessProbe', '/health?ready=1'],
    ] as const)
      expect(at(container, probe, 'httpGet')).toEqual({ path: address, port: at(port, 'name') })
    expect(at(object('Service'), 'spec', 'ports', 0, 'targetPort')).toBe(at(port, 'name'))
    expect(at(object('NetworkPolicy'), 'spec', 'ingress', 0, 'ports', 0, 'port')).toBe(at(port, 'containerPort'))
    expect(at(object('Ingress'), 'spec', 'rules', 0, 'http', 'paths', 0, 'backend', 'service', 'name')).toBe(
      at(object('Service'), 'metadata', 'name'),
    )
  })

  test('lets running requests finish before it kills an instance', () => {
    const [, pause = 0] = itemsOf(at(containerOf('Deployment'), 'lifecycle', 'preStop', 'exec', 'command')).map(Number)
    const [, longest = '0'] = /EXIT_MS = ([\d_]+)/.exec(textOf('server/main.ts')) ?? []
    const grace = Number(at(podOf('Deployment'), 'spec', 'terminationGracePeriodSeconds'))
    expect(grace * 1_000).toBeGreaterThan(pause * 1_000 + Number(longest.replace('_', '')))
  })

  test.each(['Deployment', 'Job'])('%s runs as the user of the image without privileges, and writes only to /tmp', (kind) => {
    expect(runtime?.instructions).toContainEqual({ keyword: 'USER', rest: 'node' })
    expect(at(podOf(kind), 'spec', 'securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    expect(at(podOf(kind), 'spec', 'automountServiceAccountToken')).toBe(false)
    expect(at(containerOf(kind), 'securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(itemsOf(at(containerOf(kind), 'volumeMounts'))).toEqual([{ name: 'tmp', mountPath: '/tmp' }])
  })

  test("gives the password of the tables' owner only to a job, which runs the program of the image", () => {
    expect(itemsOf(at(containerOf('Job'), 'env'))).toEqual([
      {
        name: 'MIGRATION_DATABASE_URL',
        valueFrom: { secretKeyRef: { name: 'quittance-migration', key: 'MIGRATION_DATABASE_URL' } },
      },
    ])
    expect(at(containerOf('Job'), 'envFrom')).toBeNull()
    expect(JSON.stringify(object('Deployment'))).not.toContain('migration')
    const [, program = ''] = itemsOf(at(containerOf('Job'), 'command')).map(String)
    const copied = runtime ? copiesOf(runtime).flatMap(({ sources }) => sources) : []
    expect(copied).toContain(`/quittance/${program.split('/')[0]}`)
  })

  test('holds no secret', () => {
    for (const file of ['kustomization.yaml', ...files])
      expect(textOf(`${FOLDER}/${file}`)).not.toMatch(/(?:KEY|SECRET|TOKEN|PASSWORD|DATABASE_URL)\w*[=:] *"?[\w-]{8,}/)
    expect(objects.filter((one) => at(one, 'kind') === 'Secret')).toEqual([])
  })

  test('keeps an instance during disruptions and updates', () => {
    expect(Number(at(object('Deployment'), 'spec', 'replicas'))).toBeGreaterThan(1)
    expect(at(object('Deployment'), 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable')).toBe(0)
    expect(at(object('PodDisruptionBudget'), 'spec', 'maxUnavailable')).toBe(1)
  })

  test('each selector finds the pods that it means', () => {
    const selectors: [Node, string[]][] = [
      [at(object('Deployment'), 'spec', 'selector', 'matchLabels'), ['Deployment']],
      [at(object('PodDisruptionBudget'), 'spec', 'selector', 'matchLabels'), ['Deployment']],
      [at(object('Service'), 'spec', 'selector'), ['Deployment']],
      [at(object('NetworkPolicy'), 'spec', 'podSelector', 'matchLabels'), ['Deployment', 'Job']],
    ]
    for (const [selector, kinds] of selectors) {
      const wanted = Object.entries(selector ?? {})
      const found = ['Deployment', 'Job'].filter((kind) => wanted.every(([name, value]) => at(labelsOf(kind), name) === value))
      expect(found).toEqual(kinds)
    }
  })

  test('only the proxy in front reaches the service, which counts one proxy', () => {
    const literals = itemsOf(at(kustomization, 'configMapGenerator', 0, 'literals'))
    expect(literals).toContain('TRUSTED_PROXY_HOPS=1')
    expect(at(object('NetworkPolicy'), 'spec', 'policyTypes')).toEqual(['Ingress', 'Egress'])
    for (const rule of itemsOf(at(object('NetworkPolicy'), 'spec', 'ingress')))
      for (const from of itemsOf(at(rule, 'from'))) expect(at(from, 'namespaceSelector', 'matchLabels')).not.toBeNull()
    expect(at(object('Service'), 'spec', 'type')).toBeNull()
  })
})
