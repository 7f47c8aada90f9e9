import { networkTitle } from '@/server/x402/networks/networks'
import { CopyLine } from '../../ui/copy-line'
import { Dialog } from '../../ui/dialog'
import { QrCode } from '../../ui/qr-code'
import { coinAmount, missingText, runway } from './coin'
import type { Sender } from './operations-status'

/** The address of a signer to send gas to, as text and as a QR code, and how much. */
export function FundDialog({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const { network, address, balance, runwayDays } = sender
  const missing = missingText(sender)
  return (
    <Dialog
      title={`Fund the signer on ${networkTitle(network)}`}
      open
      onClose={onClose}
      description={missing ? `Send ${missing} for 30 days at the pace of the last 7 days.` : noRate(sender)}
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
  )
}

function noRate({ topUp, balance }: Sender): string {
  if (topUp === '0') return 'It lasts 30 days or more at the pace of the last 7 days.'
  return balance === null ? 'Its balance is unknown.' : 'It spent nothing in the last 7 days, so there is no rate.'
}
