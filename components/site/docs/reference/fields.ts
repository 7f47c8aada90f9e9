import type { OpenApiOperation } from '@/server/http/openapi/document'
import { isSchema, type JsonSchema, nameIn, resolved, type Schemas } from '@/server/http/openapi/json-schema'

/** A field as a table row. `named` is the schema with its details; `when` replaces the word for its need. */
export type Field = { name: string; type: string; named: string | null; required: boolean; about: string; when?: string }

/** The fields of an object and of its unnamed inner objects, each with its path. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, path = ''): Field[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return Object.entries(properties).flatMap(([name, field]): Field[] => {
    if (!isSchema(field)) return []
    const isRequired = required.includes(name)
    return [rowOf(path + name, field, isRequired, schemas), ...inner(field, schemas, path + name)]
  })
}

/** A parameter of a request as a field. */
export function parameterField({
  name,
  in: place,
  required,
  description,
  schema,
}: OpenApiOperation['parameters'][number]): Field {
  const byDefault = schema.default === undefined ? '' : ` Default: ${String(schema.default)}.`
  const field = { name, type: typeOf(schema, {}), named: null, required, about: description + byDefault }
  // The sandbox has no key in its path.
  return place === 'path' && name === 'key' ? { ...field, when: 'with /v1/<API_KEY>' } : field
}

/** The type of a schema as text. */
export function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const name = nameIn(schema)
  if (name !== undefined) return name
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.map((choice) => typeOf(choice, schemas)).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' or ')
  if (schema.type === 'array') return `list of ${isSchema(schema.items) ? typeOf(schema.items, schemas) : 'anything'}`
  return schema.format === 'date' ? 'date' : [schema.type ?? 'anything'].flat().join(' or ')
}

function rowOf(name: string, field: JsonSchema, required: boolean, schemas: Schemas): Field {
  const named = namedIn(field)
  const about = field.description ?? (named === null ? undefined : schemas[named]?.description) ?? ''
  return { name, type: typeOf(field, schemas), named, required, about }
}

// Looks through lists and nullable choices for the named schema.
function namedIn(field: JsonSchema): string | null {
  const name = nameIn(field)
  if (name !== undefined) return name
  if (isSchema(field.items)) return namedIn(field.items)
  const names = (field.oneOf ?? field.anyOf ?? []).flatMap((choice) => namedIn(choice) ?? [])
  return names[0] ?? null
}

function inner(field: JsonSchema, schemas: Schemas, path: string): Field[] {
  if (nameIn(field) !== undefined) return []
  if (field.type === 'array' && isSchema(field.items)) return inner(field.items, schemas, `${path}[]`)
  if (field.anyOf) return field.anyOf.flatMap((choice) => inner(choice, schemas, path))
  return field.type === 'object' ? fieldsOf(field, schemas, `${path}.`) : []
}
