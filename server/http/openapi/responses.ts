import type { z } from 'zod'
import { components } from '../schemas/component'
import { formsOf } from './example'
import { type JsonSchema, type Schemas, schemaAt } from './json-schema'
import type { Answer, Operation } from './operation'

export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, { $ref: string }> }>

/** What an answer of one status looks like. */
export type OpenApiResponse = { description: string; headers: Record<string, { $ref: string }>; content?: Content }

/** The answers that many operations have in common, by name, and how an operation says each of its own. */
export type Responses = {
  named: Record<string, OpenApiResponse>
  of: (operation: Operation) => Record<string, OpenApiResponse | { $ref: string }>
}

/** The answers of these operations: refusals that are the same everywhere are written once. */
export function responsesOf(operations: readonly Operation[], schemas: Schemas): Responses {
  const named: Responses['named'] = {}
  for (const [status, answer] of operations.flatMap(({ answers }) => Object.entries(answers))) {
    const name = nameOf(status, answer)
    if (name !== null) named[name] ??= responseOf(answer, schemas)
  }
  const say = (status: string, answer: Answer) => {
    const name = nameOf(status, answer)
    const own = responseOf(answer, schemas)
    const isShared = name !== null && JSON.stringify(named[name]) === JSON.stringify(own)
    return isShared ? { $ref: `#/components/responses/${name}` } : own
  }
  return {
    named,
    of: ({ answers }) => Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, say(status, answer)])),
  }
}

/** A body of JSON, with an example of each of its forms. */
export function contentOf(schema: z.ZodType, schemas: Schemas): Content {
  const at = schemaAt(schema)
  const examples = formsOf(at, schemas).map((name) => [name, { $ref: `#/components/examples/${name}` }] as const)
  return { 'application/json': { schema: at, examples: Object.fromEntries(examples) } }
}

// Refusals only: what succeeds is each operation's own.
function nameOf(status: string, { schema }: Answer): string | null {
  const id = schema && !('mediaType' in schema) ? components.get(schema)?.id : undefined
  return status >= '400' && id !== undefined ? `${id}${status}` : null
}

function responseOf({ about, schema, headers = [] }: Answer, schemas: Schemas): OpenApiResponse {
  const refs = ['x-request-id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }] as const)
  return {
    description: about,
    headers: Object.fromEntries(refs),
    ...(schema === undefined ? {} : { content: 'mediaType' in schema ? { [schema.mediaType]: {} } : contentOf(schema, schemas) }),
  }
}
