import { useQuery } from '@tanstack/react-query'
import { keyName } from '@/server/accounts/key-name'
import type { OwnKey } from '../../client/own-key'
import { sessionQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { CopyLine } from '../../ui/copy-line'

/** The facilitator URL of a key, without its secret, and what to put there. */
export function FacilitatorUrl({ apiKey }: { apiKey: OwnKey }) {
  const session = useQuery(sessionQuery(useTRPC()))
  const prefix = apiKey.secrets[0]?.prefix
  return (
    <div className="grid grid-cols-1 gap-2">
      <CopyLine
        name={`Facilitator URL of ${keyName(apiKey)}`}
        text={`${session.data?.baseUrl ?? ''}/v1/<API_KEY>`}
        action="Copy template"
      />
      <p className="text-sm text-soft">
        Put its secret{prefix ? <code className="whitespace-nowrap"> {prefix}…</code> : null} in place of{' '}
        <code className="whitespace-nowrap">&lt;API_KEY&gt;</code>.
      </p>
    </div>
  )
}
