import { useQuery } from '@tanstack/react-query'
import type { OwnKey } from '../../client/own-key'
import { sessionQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { CopyLine } from '../../ui/copy-line'

/** The facilitator URL of a key, without its secret, and what to put there. */
export function FacilitatorUrl({ apiKey }: { apiKey: OwnKey }) {
  const session = useQuery(sessionQuery(useTRPC()))
  return (
    <div className="grid grid-cols-1 gap-2">
      <CopyLine name="Facilitator URL" text={`${session.data?.baseUrl ?? ''}/v1/<API_KEY>`} action="Copy template" />
      <p className="text-sm text-soft">
        Replace <code className="whitespace-nowrap">&lt;API_KEY&gt;</code> with the secret that starts with{' '}
        <code className="whitespace-nowrap">{apiKey.secrets[0]?.prefix}</code>.
      </p>
    </div>
  )
}
