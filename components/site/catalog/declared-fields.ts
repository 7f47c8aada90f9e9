import type { CatalogItem } from '@/server/discovery/schemas'

/** A field that a merchant declared. `part` says where an input goes; texts are empty where nothing was declared. */
export type DeclaredField = { part: string; name: string; type: string; isRequired: boolean; about: string; example: string }

type Json = Record<string, unknown>

/** The parts of an input, under the names of both versions. */
const PARTS = [
  ['pathParams', 'path'],
  ['queryParams', 'query'],
  ['query', 'query'],
  ['params', 'query'],
  ['headers', 'header'],
  ['headerFields', 'header'],
  ['body', 'body'],
  ['bodyFields', 'body'],
] as const

/** The most rows of a table: a merchant's text must not make a page long. */
const FIELDS_MAX = 60
const DEPTH_MAX = 4
const EXAMPLE_MAX = 80

/** The declared input and output of a resource as fields. The declaration is untrusted: what is not readable is left out. */
export function declaredFields({ extensions, accepts }: Pick<CatalogItem, 'extensions' | 'accepts'>) {
  const info = recordIn(extensions?.bazaar.info ?? accepts[0]?.outputSchema)
  const schemas = propertiesIn(extensions?.bazaar.schema)
  const input = recordIn(info.input)
  const inputSchemas = propertiesIn(schemas.input)
  const inputs = PARTS.flatMap(([key, part]) => fieldsIn({ part, path: '', depth: 0 }, input[key], inputSchemas[key]))
  const output = recordIn(info.output)
  const outputSchema = propertiesIn(schemas.output).example
  // Version 1 has no place for an example: its output is the schema, or the example itself.
  const outputs =
    extensions === undefined
      ? fieldsIn(TOP, info.output, undefined)
      : fieldsIn(TOP, output.example, isEmpty(recordIn(outputSchema)) ? output.schema : outputSchema)
  return { inputs: inputs.slice(0, FIELDS_MAX), outputs: outputs.slice(0, FIELDS_MAX) }
}

type Place = { part: string; path: string; depth: number }

const TOP: Place = { part: '', path: '', depth: 0 }

function fieldsIn(place: Place, value: unknown, schema: unknown): DeclaredField[] {
  if (place.depth >= DEPTH_MAX) return []
  if (Array.isArray(value) || recordIn(schema).type === 'array') {
    const inList = { ...place, path: place.path === '' ? '' : `${place.path}[]`, depth: place.depth + 1 }
    return fieldsIn(inList, Array.isArray(value) ? value[0] : undefined, recordIn(schema).items)
  }
  // Without a schema of its own, a value may be one: version 1 declares fields so.
  const isSchema = schema === undefined && !isEmpty(propertiesIn(value))
  const properties = propertiesIn(isSchema ? value : schema)
  const values = isSchema ? {} : recordIn(value)
  const required = recordIn(isSchema ? value : schema).required
  const names = new Set([...Object.keys(properties), ...Object.keys(values)])
  return [...names].flatMap((name) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    return fieldAt(
      { ...place, path: place.path === '' ? name : `${place.path}.${name}` },
      values[name],
      properties[name],
      isRequired,
    )
  })
}

function fieldAt(place: Place, value: unknown, declared: unknown, isRequired: boolean): DeclaredField[] {
  const schema = declared ?? (isFieldSchema(value) ? value : undefined)
  const example = declared === undefined && schema !== undefined ? undefined : value
  const { type, description, required } = recordIn(schema)
  const row = {
    part: place.part,
    name: place.path,
    type: typeText(type, example),
    isRequired: isRequired || required === true,
    about: typeof description === 'string' ? description : '',
    example: exampleText(example ?? exampleIn(recordIn(schema))),
  }
  return [row, ...fieldsIn({ ...place, depth: place.depth + 1 }, example, schema)]
}

// `{ "type": "string", "description": … }` in the place of a value.
const isFieldSchema = (value: unknown): boolean => {
  const { type, description, properties } = recordIn(value)
  return typeof type === 'string' && (typeof description === 'string' || properties !== undefined || TYPES.has(type))
}

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object'])

function typeText(type: unknown, example: unknown): string {
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string').join(' or ')
  if (example === undefined || example === null) return ''
  return Array.isArray(example) ? 'array' : typeof example
}

function exampleIn({ example, examples, default: usual, enum: choices }: Json): unknown {
  const [first] = [...listIn(examples), ...listIn(choices)]
  return example ?? usual ?? first
}

// Objects and lists have rows of their own.
function exampleText(example: unknown): string {
  if (example === undefined || (typeof example === 'object' && example !== null && !isListOfValues(example))) return ''
  const text = JSON.stringify(example) ?? ''
  return text.length > EXAMPLE_MAX ? `${text.slice(0, EXAMPLE_MAX)}…` : text
}

const isListOfValues = (value: object): boolean => Array.isArray(value) && value.every((one) => typeof one !== 'object')

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const propertiesIn = (schema: unknown): Json => recordIn(recordIn(schema).properties)
const isEmpty = (record: Json): boolean => Object.keys(record).length === 0

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const recordIn = (value: unknown): Json => (isRecord(value) ? value : {})
