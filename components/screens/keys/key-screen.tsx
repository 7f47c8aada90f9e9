'use client'

import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import { ChangeLog } from '../../client/change-log'
import { isNoSuch, NoSuch } from '../../client/no-such'
import { isLimited } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { BackLink, ScreenHead } from '../../client/screen-head'
import { Day, Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useSignedWallet } from '../../client/use-signed-wallet'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge, titled } from '../../ui/badge'
import { Button } from '../../ui/button'
import { spanText } from '../../ui/dates'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import type { Secret } from '../../ui/secret-dialog'
import { claimsText } from './claim-policy'
import { FacilitatorUrl } from './facilitator-url'
import { KeepHistory } from './keep-history'
import { type KeyDialog, KeyDialogs, keyActions } from './key-dialogs'
import { KeySecrets } from './key-secrets'
import { ANSWERS } from './key-settings'
import { KeyUse } from './key-use'
import { LimitFact, LimitFacts } from './limit-facts'
import { keyChangesQuery, keyQuery, type WholeKey } from './queries'

// Loaded when first opened.
const SecretDialog = later(() => import('../../ui/secret-dialog').then((loaded) => loaded.SecretDialog))

/** A key of a merchant: its use, limits, secrets and changes. */
export function KeyScreen({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(keyQuery(trpc, id))
  return (
    <>
      <BackLink href="/dashboard/keys">API keys</BackLink>
      {data ? (
        <Known apiKey={data} />
      ) : isNoSuch(error) ? (
        <NoSuch title="No such key" level={1} href="/dashboard/keys" action="View your keys">
          None of your keys has this ID. The link may be incomplete, or of another account.
        </NoSuch>
      ) : error ? (
        <Problem error={error} retry={refetch} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  )
}

function Known({ apiKey }: { apiKey: WholeKey }) {
  const trpc = useTRPC()
  const changes = useQuery(keyChangesQuery(trpc, apiKey.id))
  const [open, setOpen] = useState<KeyDialog | null>(null)
  const [shown, setShown] = useState<Secret | null>(null)
  const live = apiKey.revokedAt === null
  return (
    <>
      <ScreenHead title={keyName(apiKey)} facts={<Marks apiKey={apiKey} />}>
        {live ? (
          <>
            <Button size="small" onClick={() => setOpen('rename')}>
              <Pencil aria-hidden className="size-3.5" /> Rename
            </Button>
            <Button size="small" onClick={() => setOpen('rotate')}>
              Rotate key
            </Button>
            <ActionsMenu title={keyName(apiKey)} actions={keyActions(setOpen).slice(-3)} />
          </>
        ) : null}
      </ScreenHead>
      <div className="grid grid-cols-1 gap-4">
        <KeyUse apiKey={apiKey} />
        <Panel title={live ? 'Use this key' : 'Revoked key'}>
          <div className="divide-line max-xl:divide-y xl:grid xl:auto-cols-fr xl:grid-flow-col xl:divide-x">
            {live ? (
              <div className="p-4">
                <FacilitatorUrl apiKey={apiKey} />
              </div>
            ) : null}
            <KeySecrets apiKey={apiKey} />
          </div>
        </Panel>
        <Settings apiKey={apiKey} onEdit={() => setOpen('settings')} />
        {changes.error ? (
          <Problem error={changes.error} retry={changes.refetch} />
        ) : changes.data?.length ? (
          <ChangeLog changes={changes.data} reader="owner" createdAt={apiKey.createdAt} />
        ) : null}
      </div>
      <KeyDialogs apiKey={apiKey} open={open} onClose={() => setOpen(null)} onSecret={setShown} />
      {shown ? <SecretDialog secret={shown} name={apiKey.name} onClose={() => setShown(null)} /> : null}
    </>
  )
}

/** The plan of the key, when it was created, and whether it is limited or revoked. */
function Marks({ apiKey }: { apiKey: WholeKey }) {
  const { plan, createdAt, revokedAt } = apiKey
  const wallet = useSignedWallet()
  return (
    <span className="flex flex-wrap items-center gap-1.5 text-sm text-soft">
      <Badge>{titled(plan)}</Badge>
      <span>
        Created <Day at={createdAt} />
      </span>
      {isLimited(apiKey, wallet) ? <Badge tone="warn">Limited</Badge> : null}
      {revokedAt ? (
        <>
          <Badge tone="bad">Revoked</Badge>
          <Time at={revokedAt} />
        </>
      ) : null}
    </span>
  )
}

/** What a key refuses, and how it settles what it takes. */
function Settings({ apiKey, onEdit }: { apiKey: WholeKey; onEdit: () => void }) {
  const { waitUntil, shareTransactions, publicReceipts, secondChargeSeconds, revokedAt } = apiKey
  const edit =
    revokedAt === null ? (
      <Button size="small" onClick={onEdit}>
        Edit settings
      </Button>
    ) : null
  return (
    <Panel title="Settings" action={edit}>
      <div className="grid text-sm md:grid-cols-2">
        <Group title="Limits">
          <LimitFacts apiKey={apiKey}>
            <LimitFact name="Requests">{apiKey.requestsPerSecond.toLocaleString('en')} a second</LimitFact>
          </LimitFacts>
        </Group>
        <Group title="Behavior">
          <dl className="grid gap-1.5">
            <LimitFact name="Respond to settle">{ANSWERS[waitUntil ?? 'included']}</LimitFact>
            <LimitFact name="Batched transactions">{shareTransactions ? 'On' : 'Off, one per payment'}</LimitFact>
            <LimitFact name="Repeated payments">
              {secondChargeSeconds === null ? 'Allowed' : `Refused for ${spanText(secondChargeSeconds)}`}
            </LimitFact>
            <LimitFact name="Receipts">{publicReceipts ? 'Public, by a link' : 'Private'}</LimitFact>
            <LimitFact name="Channel claims">{claimsText(apiKey)}</LimitFact>
          </dl>
        </Group>
      </div>
      <div className="border-t p-4 text-sm">
        <KeepHistory apiKey={apiKey} />
      </div>
    </Panel>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid min-w-0 content-start gap-2.5 p-4 max-md:not-first:border-t md:not-first:border-l"
    >
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  )
}
