import { useState } from 'react'
import { later } from '../../ui/later'
import type { Sender } from './operations-status'

// Loaded when first opened: it draws QR codes.
const FundDialog = later(() => import('./fund-dialog').then((loaded) => loaded.FundDialog))

/** A button that shows where and how much gas to send to a signer. */
export function FundSigner({ sender }: { sender: Sender }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={`Fund ${sender.address}`}
        className="ml-2 min-h-6 rounded text-sm text-accent underline"
      >
        Fund
      </button>
      {open ? <FundDialog sender={sender} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
