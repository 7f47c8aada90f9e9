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
          <Limit name="Maximum">{maxUsdc === null ? 'Any amount' : `${maxUsdc} USDC per payment`}</Limit>
        </dl>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <label
            htmlFor={`history ${id}`}
            title="When off, new settlements appear in no list, figure or catalog."
            className="flex min-h-8 items-center gap-2 text-[0.8125rem]"
          >
            <Switch id={`history ${id}`} checked={historyEnabled} disabled={configure.isPending} onChange={change} />
            Keep history
          </label>
          <Button size="small" onClick={onEdit}>
            Edit limits
          </Button>
        </div>
      </div>
    </div>
  )
}

function Limit({ name, children }: { name: string; children: string }) {
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)] gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="truncate" title={children}>
        {children}
      </dd>
    </div>
  )
}
