import { CircleCheck, TriangleAlert } from 'lucide-react'
import { addressUrl, explorerName } from '@/server/x402/networks/explorers'
import { environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { cx } from '../../ui/class-names'
import { CopyLine } from '../../ui/copy-line'
import { Dialog } from '../../ui/dialog'
import { QrCode } from '../../ui/qr-code'
import { coinSymbol, fundingText, missingText } from './coin'
import type { Sender } from './operations-status'

/** The address of a signer to send gas to, as text and as a QR code, and how much. */
export function FundDialog({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const { network, address, laneClass, balance, status } = sender
  const missing = missingText(sender)
  const explorer = addressUrl(network, address)
  const [lasts, why] = fundingText(sender)
  // A signer that spent nothing lately misses no known amount, even if it is empty.
  const isShort = missing !== null || balance === null || balance === '0' || status === 'low balance'
  const Mark = isShort ? TriangleAlert : CircleCheck
  return (
    <Dialog title={`Fund the ${laneClass} signer on ${networkTitle(network)}`} open onClose={onClose}>
      <div className="grid gap-4">
        <div>
          <p className="flex items-center gap-2 font-semibold">
            <Mark aria-hidden className={cx('size-4 shrink-0', Mark === CircleCheck ? 'text-accent' : 'text-warn')} />
            {lasts}
          </p>
          <p className="pl-6 text-sm text-soft">{why}</p>
        </div>
        <p className="flex gap-2 font-medium">
          <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-warn" />
          Send only {coinSymbol(network)} on {networkTitle(network)}
          {isNetworkId(network) ? `, a ${environmentTitles[environmentOf(network)]} network` : ''}.
        </p>
        <CopyLine name="Address" text={address} />
        {missing ? <CopyLine name="Amount" text={missing.split(' ')[0] ?? ''} /> : null}
        <div className="flex items-center gap-4 rounded-lg bg-code p-3 text-sm">
          <span className="w-40 shrink-0">
            <QrCode text={address} label={`QR code of ${address}`} />
          </span>
          <span className="grid gap-1">
            Scan to get the address
            {explorer ? (
              <a href={explorer} target="_blank" rel="noreferrer" className="inline-flex min-h-6 items-center">
                View on {explorerName(network)}
              </a>
            ) : null}
          </span>
        </div>
      </div>
    </Dialog>
  )
}
