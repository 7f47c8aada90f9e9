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

/** Credentials in a tag each. */
export function CredentialTags({ names }: { names: Entry['credentials'] }) {
  const tags = names.length === 0 ? ['No key'] : names.map((name) => credentials[name].tag)
  return tags.map((tag) => <Tag key={tag}>{tag}</Tag>)
}
