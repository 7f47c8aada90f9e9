import type { OpenApiDocument } from '@/server/http/openapi/document'
import type { Chapter } from './chapters'
import { CommonParts } from './common-parts'
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
      {entries.map((entry) => (
        <OperationSection
          key={entry.id}
          entry={entry}
          shared={shared}
          parts={parts}
          baseUrl={baseUrl}
          isAlone={entries.length === 1}
        />
      ))}
    </>
  )
}
