import type { OpenApiDocument } from '@/server/http/openapi/document'
import type { Chapter, Entry } from './chapters'
import { CommonParts } from './common-parts'
import { Chosen } from './example-choice'
import { OpenTarget } from './open-target'
import { OperationSection } from './operation'
import { sharedBy } from './shared'

type Props = { chapter: Chapter; parts: OpenApiDocument['components']; baseUrl: string }

/** The operations of a chapter, below what they share. */
export function ChapterReference({ chapter: { entries }, parts, baseUrl }: Props) {
  const shared = sharedBy(entries, parts)
  return (
    <>
      {entries.length > 1 ? <CommonParts shared={shared} /> : null}
      <OpenTarget />
      {entries.map((entry, at) => (
        <Chosen key={entry.id}>
          <OperationSection
            entry={entry}
            shared={shared}
            parts={parts}
            baseUrl={baseUrl}
            isRepeat={entries.slice(0, at).some((above) => bodyOf(above) !== undefined && bodyOf(above) === bodyOf(entry))}
            isAlone={entries.length === 1}
          />
        </Chosen>
      ))}
    </>
  )
}

const bodyOf = ({ spec }: Entry) => spec.requestBody && JSON.stringify(spec.requestBody.content)
