import { credentials } from '@/server/http/openapi/credential-texts'
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
