import { reasonUrl } from '@/server/http/documented-codes'
import type { OpenApiDocument } from '@/server/http/openapi/document'
import { choicesIn, type JsonSchema, nameIn } from '@/server/http/openapi/json-schema'
import { FieldList } from './field-list'
import { fieldsOf, typeOf } from './fields'
import { OpenTarget } from './open-target'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

type Parts = Pick<OpenApiDocument['components'], 'schemas'>

/** Every named schema of the document, each with an anchor. A link to one opens it. */
export function Schemas({ parts }: { parts: Parts }) {
  const schemas = Object.entries(parts.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return (
    <>
      <OpenTarget />
      {schemas.map(([name, schema]) => (
        <details className="schema" id={`schema-${name}`} key={name}>
          <summary>
            <h2>{name}</h2>
          </summary>
          {schema.description ? (
            <p>
              <Prose text={schema.description} />
            </p>
          ) : null}
          <Content schema={schema} parts={parts} />
        </details>
      ))}
    </>
  )
}

function Content({ schema, parts: { schemas } }: { schema: JsonSchema; parts: Parts }) {
  if (schema.properties) return <FieldList fields={fieldsOf(schema, schemas)} />
  if (schema.oneOf ?? schema.anyOf) return <Choices names={choicesIn(schema, schemas).flatMap((one) => nameIn(one) ?? [])} />
  if (schema.enum && schema.enum.length > 8) return <Values values={schema.enum.map(String)} />
  return <p className="muted small">{typeOf(schema, schemas)}</p>
}

function Choices({ names }: { names: string[] }) {
  return (
    <p className="small">
      One of{' '}
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 ? ', ' : ''}
          <a href={schemaUrl(name)}>{name}</a>
        </span>
      ))}
    </p>
  )
}

function Values({ values }: { values: string[] }) {
  return (
    <details className="example">
      <summary>{values.length} values</summary>
      <p className="values">
        {values.map((code) => (
          <a href={reasonUrl(code)} key={code}>
            <code>{code}</code>
          </a>
        ))}
      </p>
    </details>
  )
}
