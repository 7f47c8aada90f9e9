import { isSchema, type JsonSchema, nameIn, resolved, type Schemas } from '@/server/http/openapi/json-schema'

/** A field of an object as a row of a table. `named` is the schema that says more. */
export type Field = { name: string; type: string; named: string | null; required: boolean; about: string }

/** The fields of an object, those of objects inside it with their path; objects that have a name are not opened. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, path = ''): Field[] {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  return Object.entries(properties).flatMap(([name, field]): Field[] => {
    if (!isSchema(field)) return []
    const isRequired = required.includes(name)
    return [rowOf(path + name, field, isRequired, schemas), ...inner(field, schemas, path + name)]
  })
}

/** What a schema describes, in a word or two. */
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

// Through lists and choices with null, to the one schema that has a name.
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
