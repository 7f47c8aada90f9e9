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
        <details className="border-b [&>dl]:mb-4 [&>p]:mb-4 [&>p]:wrap-anywhere [&>p]:text-soft" id={`schema-${name}`} key={name}>
          <summary className="cursor-pointer py-[0.7rem]">
            <h2 className="inline text-[1rem]">{name}</h2>
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
  return <p className="text-[0.92rem] text-soft">{typeOf(schema, schemas)}</p>
}

function Choices({ names }: { names: string[] }) {
  return (
    <p className="text-[0.92rem]">
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
    <details className="overflow-hidden rounded-[10px] border bg-code">
      <summary className="cursor-pointer px-[0.9rem] py-[0.55rem] text-[0.88rem] font-semibold focus-visible:-outline-offset-2">
        {values.length} values
      </summary>
      <p className="px-[0.9rem] pb-[0.9rem]">
        {values.map((code) => (
          <a href={reasonUrl(code)} key={code}>
            <code>{code}</code>
          </a>
        ))}
      </p>
    </details>
  )
}
