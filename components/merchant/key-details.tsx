'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../data/trpc'
import { Button } from '../ui/button'
import { CopyLine } from '../ui/copy-line'
import { shortened } from '../ui/copyable'
import { notice } from '../ui/notice'
import { Switch } from '../ui/switch'
import { Time } from '../ui/time'
import { networkNames, type OwnKey, useKeyActions } from './own-key'

/** The facilitator URL of a key, its limits and whether it keeps history. */
export function KeyDetails({ apiKey, onEdit }: { apiKey: OwnKey; onEdit: () => void }) {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 60_000 }))
  const { configure } = useKeyActions()
  const { id, historyEnabled, allowedNetworks, payToAllow, maxUsdc, createdAt } = apiKey
  const change = (on: boolean) =>
    configure.mutate({ id, historyEnabled: on }, { onError: ({ message }) => notice.error(message) })
  return (
    <div className="grid gap-x-8 gap-y-4 rounded-lg border border-solid border-line p-4 md:grid-cols-2">
      <div className="grid min-w-0 content-start gap-3">
        <CopyLine name="Facilitator URL" text={`${session.data?.baseUrl ?? ''}/v1/<your key>`} />
        <p className="m-0 text-[0.8125rem] text-soft">
          We store no secret. Put yours in place of <code>&lt;your key&gt;</code>; if you lost it, rotate the key. Created{' '}
          <Time at={createdAt} />.
        </p>
      </div>
      <div className="grid min-w-0 content-start gap-3">
        <dl className="grid gap-1.5 text-[0.8125rem]">
          <Limit name="Networks">{networkNames(allowedNetworks)}</Limit>
          <Limit name="Recipients">{payToAllow.length === 0 ? 'Any' : payToAllow.map(shortened).join(', ')}</Limit>
          <Limit name="Maximum per payment">{maxUsdc === null ? 'No limit' : `${maxUsdc} USDC`}</Limit>
        </dl>
        <Button size="small" onClick={onEdit} className="justify-self-start">
          Edit limits
        </Button>
        <div className="flex items-start justify-between gap-4 border-0 border-t border-solid border-line pt-3 text-[0.8125rem]">
          <span className="grid min-w-0">
            <label htmlFor={`history ${id}`}>Keep history</label>
            <span className="text-soft">When off, new settlements appear in no list, figure or catalog.</span>
          </span>
          <Switch id={`history ${id}`} checked={historyEnabled} disabled={configure.isPending} onChange={change} />
        </div>
      </div>
    </div>
  )
}

function Limit({ name, children }: { name: string; children: string }) {
  return (
    <div className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="truncate" title={children}>
        {children}
      </dd>
    </div>
  )
}
