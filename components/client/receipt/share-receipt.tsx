'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { Button, buttonClass } from '../../ui/button'
import { noticeFailure } from '../notice-failure'
import { settlementQuery } from '../queries'
import { useTRPC } from '../trpc'
import { ReceiptLink } from './receipt-link'

type Props = {
  reader: 'merchant' | 'payer'
  /** The id of its settlement in the reader's list. */
  id: string
  /** The public page of the receipt; null if it has none. */
  url: string | null
}

/** Shares a receipt by a link that nobody can guess. The payer or the merchant can stop that, and start it again. */
export function ShareReceipt({ reader, id, url }: Props) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [withdrawn, setWithdrawn] = useState(false)
  const onSuccess = () => queries.invalidateQueries({ queryKey: settlementQuery(trpc, reader, id).queryKey })
  const options = { onSuccess, onError: noticeFailure }
  const share = useMutation(trpc.receipts.share.mutationOptions(options))
  const withdraw = useMutation(trpc.receipts.withdraw.mutationOptions(options))
  const restore = useMutation(trpc.receipts.restore.mutationOptions(options))
  const busy = share.isPending || withdraw.isPending || restore.isPending
  const asked = { reader, id }
  if (url !== null) {
    return (
      // All of it fits one line of a phone.
      <section aria-label="Public receipt" className="flex flex-wrap items-center gap-2 text-sm max-sm:*:px-2.5">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass({ size: 'small' })}>
          <span>
            Open <span className="max-sm:sr-only">receipt</span>
          </span>
        </a>
        <ReceiptLink url={url} />
        <Button
          size="small"
          look="quiet"
          disabled={busy}
          onClick={() => withdraw.mutate(asked, { onSuccess: () => setWithdrawn(true) })}
        >
          Stop sharing
        </Button>
      </section>
    )
  }
  return (
    <section aria-label="Public receipt" className="flex flex-wrap items-center gap-2 text-sm">
      <Button
        size="small"
        look={reader === 'payer' ? 'primary' : 'plain'}
        disabled={busy}
        onClick={() => share.mutate(asked, { onSuccess: () => setWithdrawn(false) })}
      >
        <Link2 aria-hidden className="size-4" /> Share receipt
      </Button>
      {/* Empty it takes no room, and screen readers know it. */}
      <span role="status" className="text-soft empty:absolute">
        {withdrawn ? 'The link no longer works.' : null}
      </span>
      {withdrawn ? (
        <Button size="small" disabled={busy} onClick={() => restore.mutate(asked)}>
          Undo
        </Button>
      ) : null}
    </section>
  )
}
