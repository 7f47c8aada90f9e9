import { useState } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { CopyLine } from '../../ui/copy-line'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { amountToSend, coinAmount, runway } from './coin'
import type { Sender } from './operations-status'

// Loaded when first opened.
const Dialog = later(() => import('../../ui/dialog').then((loaded) => loaded.Dialog))
const QrCode = later(
  () => import('../../ui/qr-code').then((loaded) => loaded.QrCode),
  <Skeleton className="aspect-square w-full" />,
)

/** What to send to a signer so that it lasts 30 days, in its coin; null if nothing, or if that is not known. */
export function missingText({ network, topUp }: Pick<Sender, 'network' | 'topUp'>): string | null {
  return topUp === null || topUp === '0' ? null : amountToSend(network, topUp)
}

/** A button that shows the address of a signer to send gas to, as text and as a QR code, and how much. */
export function FundSigner({ sender }: { sender: Sender }) {
  const [open, setOpen] = useState(false)
  const { network, address, balance, runwayDays } = sender
  const missing = missingText(sender)
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={`Fund ${address}`}
        className="min-h-6 rounded px-2 text-sm text-accent hover:underline"
      >
        Fund
      </button>
      {open ? (
        <Dialog
          title={`Fund the signer on ${networkTitle(network)}`}
          open
          onClose={() => setOpen(false)}
          description={missing ? `Send ${missing} to last 30 days at the rate of the last 7 days.` : noRate(sender)}
        >
          <div className="grid gap-4">
            <CopyLine name="Address" text={address} />
            {missing ? <CopyLine name="Amount" text={missing.split(' ')[0] ?? ''} /> : null}
            <div className="mx-auto w-44">
              <QrCode text={address} label={`QR code of ${address}`} />
            </div>
            <p className="text-sm text-soft">
              {balance === null ? 'Its balance is unknown.' : `It has ${coinAmount(network, balance).shown}.`}{' '}
              {runwayDays === null ? '' : `That lasts ${runway(runwayDays).toLowerCase()}.`} Send only on {networkTitle(network)}.
            </p>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

function noRate({ topUp, balance }: Sender): string {
  if (topUp === '0') return 'It lasts 30 days or more at the rate of the last 7 days.'
  return balance === null ? 'Its balance is unknown.' : 'It spent nothing in the last 7 days, so there is no rate.'
}
