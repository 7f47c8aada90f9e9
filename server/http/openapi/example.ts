import { choicesIn, type JsonSchema, nameIn, resolved, type Schemas } from './json-schema'

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
