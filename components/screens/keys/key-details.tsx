'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { noticeFailure } from '../../client/notice-failure'
import { networkNames, type OwnKey, useKeyActions } from '../../client/own-key'
import { sessionQuery } from '../../client/queries'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Button } from '../../ui/button'
import { CopyLine } from '../../ui/copy-line'
import { Copyable } from '../../ui/copyable'
import { Switch } from '../../ui/switch'

/** The recipients that show without a click. */
const SHOWN_MAX = 5

type Props = { apiKey: OwnKey; onEdit: () => void; onRotate: () => void }

/** The facilitator URL of a key, its limits and whether it keeps history. The row above has the prefix of its secret. */
export function KeyDetails({ apiKey, onEdit, onRotate }: Props) {
  const trpc = useTRPC()
  const session = useQuery(sessionQuery(trpc))
  const { configure } = useKeyActions()
  const { id, historyEnabled, allowedNetworks, payToAllow, maxUsdc, createdAt, secrets } = apiKey
  const [, ...previous] = secrets
  const change = (on: boolean) => configure.mutate({ id, historyEnabled: on }, { onError: noticeFailure })
  return (
    <div className="grid gap-x-8 gap-y-5 border-t pt-4 text-sm lg:grid-cols-2">
      <section aria-label="Secret" className="grid min-w-0 content-start gap-3">
        <CopyLine name="Facilitator URL" text={`${session.data?.baseUrl ?? ''}/v1/<your key>`} action="Copy template" />
        <p className="text-soft">
          Put your secret in place of <code className="whitespace-nowrap">&lt;your key&gt;</code>. We showed it once and keep only
          its hash. If you lost it, rotate the key.
        </p>
        <dl className="grid gap-1.5 empty:hidden">
          {previous.map(({ id: secret, prefix, graceUntil }) => (
            <Fact key={secret} name="Previous secret">
              <code>{prefix}…</code>
              {graceUntil ? (
                <>
                  {' '}
                  until <Time at={graceUntil} />
                </>
              ) : null}
            </Fact>
          ))}
        </dl>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="small" onClick={onRotate}>
            Rotate key
          </Button>
          <span className="text-soft">
            Created <Time at={createdAt} />
          </span>
        </div>
      </section>
      <div className="grid min-w-0 content-start gap-5">
        <section aria-label="Limits" className="grid gap-2.5">
          <div className="flex min-h-8 items-center justify-between gap-4">
            <h3 className="font-medium">Limits</h3>
            <Button size="small" onClick={onEdit}>
              Edit limits
            </Button>
          </div>
          <dl className="grid gap-1.5">
            <Fact name="Networks">{networkNames(allowedNetworks)}</Fact>
            <Fact name="Recipients">
              {payToAllow.length === 0 ? (
                'Any'
              ) : (
                <span className="grid justify-items-start gap-1">
                  {payToAllow.slice(0, SHOWN_MAX).map((address) => (
                    <Copyable key={address} text={address} label="recipient" />
                  ))}
                  {payToAllow.length > SHOWN_MAX ? <span>and {payToAllow.length - SHOWN_MAX} more</span> : null}
                </span>
              )}
            </Fact>
            <Fact name="Maximum per payment">{maxUsdc === null ? 'No limit' : `${maxUsdc} USDC`}</Fact>
          </dl>
        </section>
        <div className="flex items-start justify-between gap-4 border-t pt-4">
          <span className="grid min-w-0 gap-0.5">
            <label htmlFor={`history ${id}`} className="font-medium">
              Keep history
            </label>
            <span className="text-soft">
              When off, new settlements appear in no list, figure or catalog.{' '}
              <Link href={`/dashboard/settlements?key=${id}`} className="whitespace-nowrap">
                View settlements
              </Link>
            </span>
          </span>
          <Switch id={`history ${id}`} checked={historyEnabled} disabled={configure.isPending} onChange={change} />
        </div>
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[9.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
