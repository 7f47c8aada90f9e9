import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../endpoints'
import { TEST_EVENT, webhookEvents } from '../../webhooks/events'
import { documentedMessages } from '../../webhooks/example'
import { listed, openApiDocument } from './document'
import type { JsonSchema } from './json-schema'
import { FIRST } from './reading-order'

const document = openApiDocument('https://pay.example', endpoints, documentedMessages())
const { schemas } = document.components
const told = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

const ajv = new Ajv2020({ allErrors: true, validateFormats: false })
ajv.addVocabulary(['components'])
const compile = (schema: JsonSchema) => ajv.compile({ ...schema, components: { schemas } })

/** Every `$ref` in a value. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (key === '$ref' ? [String(part)] : refsIn(part)))
}

describe('/openapi.json', () => {
  test('describes every listed endpoint, once', () => {
    expect(told.map(({ operationId }) => operationId).sort()).toEqual(
      listed(endpoints)
        .map(({ operation }) => operation.id)
        .sort(),
    )
  })

  test('has each event of webhooks with an example that fits its schema', () => {
    expect(Object.keys(document.webhooks)).toEqual([...webhookEvents, TEST_EVENT])
    for (const { post } of Object.values(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']
      expect(compile(schema)(example)).toBe(true)
      expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    }
  })

  test('excludes paths without their key, and those of our own pages', () => {
    const unlisted = new Set(endpoints.filter(({ operation }) => operation === null).map(({ path }) => path))
    expect(
      [...unlisted].filter((path) => !/^\/v1($|\/(flash\/)?(supported|explain|verify|settle|discovery\/\w+)$)/.test(path)).sort(),
    ).toEqual(['/api/auth/*', '/api/explain', '/api/export', '/api/trpc/:procedure', '/docs/search.json'])
  })

  test('has operations first in their sections that exist', () => {
    const ids = told.map(({ operationId }) => operationId)
    expect(FIRST.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('is of version 3.1.1, names its server, and has the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { version, license: { name: expect.any(String) } },
      servers: [{ url: 'https://pay.example' }],
    })
  })

  test('has patterns that validators in other languages read too', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"(?:[^"\\]|\\.)*"/g) ?? []
    expect(patterns.length).toBeGreaterThan(5)
    expect(patterns.filter((pattern) => /\\[pPu]\{/.test(pattern))).toEqual([])
  })

  test('has an enum where a value is one of several constants', () => {
    const choices = JSON.stringify(document).match(/"(anyOf|oneOf)":\[(\{"type":"\w+","const":[^{}]*\},?)+\]/g) ?? []
    expect(choices).toEqual([])
    expect(document.components.schemas.CatalogItem?.properties?.x402Version).toMatchObject({ type: 'number', enum: [1, 2] })
  })

  test('has a refusal for every operation, and a success for all but an offer and a redirect', () => {
    const without = (first: string) =>
      told.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith(first)))
    expect(without('4')).toEqual([])
    expect(
      without('2')
        .map(({ operationId }) => operationId)
        .sort(),
    ).toEqual(['goToOperator', 'offerCredits'])
  })

  test('has no broken references', () => {
    const whole: unknown = JSON.parse(JSON.stringify(document))
    const missing = refsIn(whole).filter((ref) => {
      const steps = ref.replace(/^#\//, '').split('/')
      return steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), whole) === undefined
    })
    expect(missing).toEqual([])
  })

  test('has no unused components', () => {
    const used = new Set(refsIn(document))
    const { securitySchemes, ...parts } = document.components
    const unused = Object.entries(parts).flatMap(([kind, named]) =>
      Object.keys(named)
        .map((name) => `#/components/${kind}/${name}`)
        .filter((ref) => !used.has(ref)),
    )
    const demanded = new Set(told.flatMap(({ security }) => security.flatMap(Object.keys)))
    expect([unused, Object.keys(securitySchemes).filter((name) => !demanded.has(name))]).toEqual([[], []])
  })

  test('gives every operation a unique name, a tag, and its path parameters', () => {
    expect(new Set(told.map(({ operationId }) => operationId)).size).toBe(told.length)
    const names = document.tags.map(({ name }) => name)
    for (const { path, parameters, tags } of told) {
      const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
      expect([path, declared.sort()]).toEqual([path, (path.match(/{\w+}/g) ?? []).sort()])
      expect(names).toEqual(expect.arrayContaining(tags))
    }
  })

  test.each(Object.entries(schemas))('%s is a valid JSON Schema 2020-12', (_name, schema) => {
    expect(() => compile(schema)).not.toThrow()
  })

  test.each(Object.entries(document.components.examples))('the example %s matches its schema', (name, { value }) => {
    const validate = compile({ $ref: `#/components/schemas/${name}` })
    expect([validate(value), validate.errors]).toEqual([true, null])
  })

  test('gives every parameter and header a schema with an example', () => {
    const bare = told
      .flatMap(({ parameters }) => parameters)
      .filter(({ schema: { examples, default: usual, enum: some, const: only } }) => {
        return [examples, usual, some, only].every((one) => one === undefined)
      })
    expect(bare.map(({ name }) => name)).toEqual([])
  })
})
