import { credentials } from '@/server/http/openapi/credential-texts'
import { Tag } from '../../../ui/badge'
import type { Entry } from './chapters'

/** The credentials that an operation accepts, in a sentence. */
export function Credentials({ names }: { names: Entry['credentials'] }) {
  if (names.length === 0) return 'No credentials needed.'
  return (
    <>
      Credentials: <a href="/docs/authentication">{names.map((name) => credentials[name].title).join(' or ')}</a>
      {names.includes('key') ? '; none in the sandbox' : null}.
    </>
  )
}

/** The credentials of a group of operations, in a tag each. */
export function CredentialTags({ entries }: { entries: readonly Entry[] }) {
  const tags = entries.flatMap(({ credentials: names }) => names.map((name) => credentials[name].tag))
  const isOpen = entries.some(({ credentials: names }) => names.length === 0)
  return (
    <p className="flex flex-wrap items-baseline gap-1.5 text-[0.85rem] text-soft">
      Credential:
      {[...new Set<string>(tags), ...(isOpen ? ['None'] : [])].map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </p>
  )
}
