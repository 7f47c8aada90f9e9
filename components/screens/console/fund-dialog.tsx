import { TriangleAlert } from 'lucide-react'
import { addressUrl, explorerName } from '@/server/x402/networks/explorers'
import { networkTitle } from '@/server/x402/networks/networks'
import { CopyLine } from '../../ui/copy-line'
import { Dialog } from '../../ui/dialog'
import { QrCode } from '../../ui/qr-code'
import { coinSymbol, fundingText, missingText } from './coin'
import type { Sender } from './operations-status'

/** The address of a signer to send gas to, as text and as a QR code, and how much. */
export function FundDialog({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const { network, address } = sender
  const missing = missingText(sender)
  const explorer = addressUrl(network, address)
  return (
    <Dialog title={`Fund the signer on ${networkTitle(network)}`} open onClose={onClose} description={fundingText(sender)}>
      <div className="grid gap-4">
        <p className="flex items-center gap-2 font-medium">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
          Send only {coinSymbol(network)} on {networkTitle(network)}.
        </p>
        <CopyLine name="Address" text={address} />
        {missing ? <CopyLine name="Amount" text={missing.split(' ')[0] ?? ''} /> : null}
        <div className="mx-auto w-44">
          <QrCode text={address} label={`QR code of ${address}`} />
        </div>
        {explorer ? (
          <a
            href={explorer}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center justify-self-center text-sm"
          >
            View on {explorerName(network)}
          </a>
        ) : null}
      </div>
    </Dialog>
  )
}
