import { plainText } from '../x402/json'

type Json = Record<string, unknown>

/** The steps of one check: a schema and a value of 8 KB each, with long lists in both, must not cost their product. */
const STEPS_MAX = 20_000
const NAME_MAX = 60
const PATH_MAX = 200

type Steps = { left: number }

/** What does not fit, as a sentence that begins with the path of its field. */
type Misfit = { path: string; text: string }

/**
 * What of a declared value does not fit the schema that came with it; null where nothing is found. It reads a few words
 * of JSON Schema and compiles nothing: `type`, `const`, `enum`, `properties`, `required`, `additionalProperties: false` and `items`. Other
 * words, and what lies behind a `$ref`, are not checked. PHP's `[]` counts as an empty object.
 */
export function misfitOf(value: unknown, schema: unknown, name: string): Misfit | null {
  const steps = { left: STEPS_MAX }
  const found = misfitAt(value, schema, name, steps)
  return steps.left > 0 ? found : { path: name, text: `${name} has a schema that is too long to check` }
}

function misfitAt(value: unknown, schema: unknown, path: string, steps: Steps): Misfit | null {
  if (--steps.left <= 0 || !isObject(schema)) return null
  const { type, enum: values, items } = schema
  const types = [type].flat().filter(isType)
  if (types.length > 0 && !types.some((one) => TYPES[one](value)))
    return misfit(path, `must be of the type ${types.join(' or ')}`)
  if ('const' in schema && !isEqual(value, schema.const, steps)) return misfit(path, 'must be the constant of its schema')
  if (Array.isArray(values) && !values.some((one) => isEqual(value, one, steps)))
    return misfit(path, 'must be a value that its schema names')
  if (Array.isArray(value)) return firstOf(value.entries(), ([at, one]) => misfitAt(one, items, `${path}.${at}`, steps))
  return isObject(value) ? misfitIn(value, schema, path, steps) : null
}

function misfitIn(
  value: Json,
  { properties, required, additionalProperties, patternProperties }: Json,
  path: string,
  steps: Steps,
) {
  const known = isObject(properties) ? properties : {}
  const isClosed = additionalProperties === false && patternProperties === undefined
  const missing = firstOf(Array.isArray(required) ? required : [], (name) => {
    steps.left--
    return typeof name === 'string' && !Object.hasOwn(value, name) ? misfit(path, `lacks ${plainText(name, NAME_MAX)}`) : null
  })
  if (missing !== null) return missing
  return firstOf(Object.entries(value), ([name, one]) => {
    const shown = plainText(name, NAME_MAX)
    if (Object.hasOwn(known, name)) return misfitAt(one, known[name], `${path}.${shown}`, steps)
    return isClosed ? misfit(path, `has ${shown}, which its schema excludes`) : null
  })
}

function misfit(at: string, fault: string): Misfit {
  const path = at.slice(0, PATH_MAX)
  return { path, text: `${path} ${fault}` }
}

function firstOf<T>(values: Iterable<T>, misfitIn: (value: T) => Misfit | null): Misfit | null {
  for (const value of values) {
    const found = misfitIn(value)
    if (found !== null) return found
  }
  return null
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES = {
  object: (value: unknown) => isObject(value) || (Array.isArray(value) && value.length === 0),
  array: (value: unknown) => Array.isArray(value),
  string: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === 'boolean',
  null: (value: unknown) => value === null,
}
const isType = (name: unknown): name is keyof typeof TYPES => typeof name === 'string' && Object.hasOwn(TYPES, name)

function isEqual(one: unknown, other: unknown, steps: Steps): boolean {
  if (--steps.left <= 0) return false
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => isEqual(value, other[at], steps))
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name], steps))
}
