import { z } from 'zod'
import { components } from '../schemas'

/** A JSON Schema (2020-12) as zod writes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The schemas that the document names, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>

const REFERENCE = '#/components/schemas/'

/** Every named schema, as what is sent: before transforms and defaults. */
export function namedSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(components, { io: 'input', uri: (id) => REFERENCE + id, override: tidy })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]))
}

/** A schema where it is used: a reference to its name, or all of it where it has none. */
export function schemaAt(schema: z.ZodType): JsonSchema {
  const named = components.get(schema)
  return named ? { $ref: REFERENCE + named.id } : bare(z.toJSONSchema(schema, { io: 'input', override: tidy }))
}

/** The name that a reference refers to; undefined for what is no reference. */
export function nameIn({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined
}

/** The schema itself, whether it is there or named. What stands beside a reference comes first. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = nameIn(schema)
  if (name === undefined) return schema
  const { $ref: _, ...beside } = schema
  const target = schemas[name]
  if (!target) throw new Error(`there is no schema ${name}`)
  return { ...resolved(target, schemas), ...beside }
}

/** The schemas of which a value fits one; the schema itself where it is no choice. */
export function choicesIn(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { oneOf, anyOf } = resolved(schema, schemas)
  const choices = oneOf ?? anyOf
  return choices ? choices.flatMap((choice) => choicesIn(choice, schemas)) : [schema]
}

function bare({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return schema
}

// A bound that every number has says nothing.
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** A value that a schema describes, put together from the examples of its fields. */
export function exampleOf(schema: JsonSchema, schemas: Schemas): unknown {
  const whole = resolved(schema, schemas)
  const [first] = whole.examples ?? []
  if (first !== undefined) return first
  if (whole.const !== undefined) return whole.const
  if (whole.default !== undefined) return whole.default
  if (whole.enum) return whole.enum[0]
  const [choice] = whole.oneOf ?? whole.anyOf ?? []
  if (choice) return exampleOf(choice, schemas)
  if (whole.type === 'array') return isSchema(whole.items) ? [exampleOf(whole.items, schemas)] : []
  if (whole.type === 'object') return Object.fromEntries(fieldsOf(whole, schemas))
  throw new Error(`a ${whole.type} has no example: give it one`)
}

/** The names of the forms that a body may have: each has an example. */
export function formsOf(schema: JsonSchema, schemas: Schemas): string[] {
  return choicesIn(schema, schemas).flatMap((choice) => nameIn(choice) ?? [])
}

// What may be left out is shown where somebody gave it a value to show.
function fieldsOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas): [string, unknown][] {
  return Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    if (!isSchema(field)) return []
    const isShown = required.includes(name) || resolved(field, schemas).examples !== undefined
    return isShown ? [[name, exampleOf(field, schemas)]] : []
  })
}

/** Whether a part of a schema is one: in its place a boolean may stand, and several for the items of an array. */
export function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
