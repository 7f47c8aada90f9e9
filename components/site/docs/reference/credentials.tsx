import { credentials } from '@/server/http/openapi/credential-texts'
import { Tag } from '../../../ui/badge'
import type { Entry } from './chapters'

type Accepted = Pick<Entry, 'credentials' | 'paths'>

/** Whether a key is needed outside the sandbox only. */
export const isFreeInSandbox = ({ credentials: names, paths }: Accepted): boolean =>
  names.includes('key') && paths.some((path) => path.startsWith('/sandbox'))

/** The credentials that an operation accepts, in a sentence. */
export function Credentials(accepted: Accepted) {
  const names = accepted.credentials
  if (names.length === 0) return 'No credentials needed.'
  return (
    <>
      Credentials: <a href="/docs/authentication">{names.map((name) => credentials[name].title).join(' or ')}</a>
      {isFreeInSandbox(accepted) ? '; none in the sandbox' : null}.
    </>
  )
}

/** Credentials in a tag each. */
export function CredentialTags({ names }: { names: Entry['credentials'] }) {
  const tags = names.length === 0 ? ['No key'] : names.map((name) => credentials[name].tag)
  return tags.map((tag) => <Tag key={tag}>{tag}</Tag>)
}
