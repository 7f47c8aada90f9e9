import { z } from 'zod'
import { components } from '../schemas'

/** A JSON Schema (2020-12) as zod writes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The named schemas, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>

const REFERENCE = '#/components/schemas/'

/** Every named schema, by name, in its input form: before transforms and defaults. */
export function namedSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(components, { io: 'input', uri: (id) => REFERENCE + id, override: tidy })
  // Sorted: the registry has the order in which modules were loaded.
  const names = Object.keys(schemas).sort()
  return Object.fromEntries(names.map((id) => [id, bare(schemas[id] ?? {})]))
}

/** A schema at its place of use: a reference if it has a name, else inline. */
export function schemaAt(schema: z.ZodType): JsonSchema {
  const named = components.get(schema)
  return named ? { $ref: REFERENCE + named.id } : bare(z.toJSONSchema(schema, { io: 'input', override: tidy }))
}

/** The name in a reference; undefined if the schema is not a reference. */
export function nameIn({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined
}

/** The schema with its reference resolved. Fields beside the reference take precedence. */
export function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = nameIn(schema)
  if (name === undefined) return schema
  const { $ref: _, ...beside } = schema
  const target = schemas[name]
  if (!target) throw new Error(`there is no schema ${name}`)
  return { ...resolved(target, schemas), ...beside }
}

/** The alternatives of a union; the schema itself if it is no union. */
export function choicesIn(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const { oneOf, anyOf } = resolved(schema, schemas)
  const choices = oneOf ?? anyOf
  return choices ? choices.flatMap((choice) => choicesIn(choice, schemas)) : [schema]
}

function bare({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema {
  return withEnums(schema)
}

/** A schema in which a choice of constants is an `enum`: generators make a type of their own of each constant. */
function withEnums(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const choice = anyOf && enumOf(anyOf.filter(isSchema))
  const plain = choice ? { ...rest, ...choice } : schema
  return Object.fromEntries(Object.entries(plain).map(([name, part]) => [name, partsWithEnums(name, part)]))
}

/** The keywords that hold a schema or a list of them; `properties` holds schemas by name. */
const HOLDING: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'items', 'additionalProperties'])

function partsWithEnums(keyword: string, part: unknown): unknown {
  const inside = (one: unknown) => (isSchema(one) ? withEnums(one) : one)
  if (keyword === 'properties' && isSchema(part))
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inside(one)]))
  if (!HOLDING.has(keyword)) return part
  return Array.isArray(part) ? part.map(inside) : inside(part)
}

function enumOf(choices: JsonSchema[]): JsonSchema | null {
  const types = new Set(choices.map(({ type }) => type))
  const [type] = types
  const values = choices.flatMap(({ const: value }) => (value === undefined ? [] : [value]))
  if (values.length === 0 || values.length < choices.length || types.size !== 1 || type === undefined) return null
  return { type, enum: values }
}

// Removes the bounds that zod adds to every integer.
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** An example value, composed from the examples of the fields. */
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

/** The names of a body's alternative forms; each has an example. */
export function formsOf(schema: JsonSchema, schemas: Schemas): string[] {
  return choicesIn(schema, schemas).flatMap((choice) => nameIn(choice) ?? [])
}

// Optional fields appear only if they have an example.
function fieldsOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas): [string, unknown][] {
  return Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
    if (!isSchema(field)) return []
    const isShown = required.includes(name) || resolved(field, schemas).examples !== undefined
    return isShown ? [[name, exampleOf(field, schemas)]] : []
  })
}

/** Whether a part is a single schema, and not a boolean or a list of schemas. */
export function isSchema(part: unknown): part is JsonSchema {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}
