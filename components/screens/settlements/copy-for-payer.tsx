import type { Shown } from '@/server/history/present'
import { networkTitle } from '@/server/x402/networks/networks'
import { adviceFor } from '../../client/failure-causes'
import { useZone } from '../../client/zone'
import { CopyAction } from '../../ui/copy-action'
import { wholeDate } from '../../ui/dates'
import { amountText } from '../../ui/figures'

type Payment = Pick<
  Shown,
  'id' | 'settlementId' | 'createdAt' | 'amount' | 'decimals' | 'asset' | 'network' | 'resource' | 'txHash' | 'reasonTitle'
>

type Props = { payment: Payment; reason: string }

/** Copies what a merchant can send to the payer of a failed payment. */
export function CopyForPayer({ payment, reason }: Props) {
  const zone = useZone()
  return (
    <CopyAction
      size="small"
      className="max-sm:basis-full max-sm:justify-center"
      text={() => payerMessage(payment, reason, zone)}
      failed="No clipboard here"
    >
      Copy for the payer
    </CopyAction>
  )
}

/** What happened to a payment and what to do, said to its payer. Its time is in this zone. */
export function payerMessage(payment: Payment, reason: string, zone: string): string {
  const { amount, decimals, asset, network, resource, createdAt, txHash, reasonTitle, settlementId, id } = payment
  const what = resource ? ` for ${resource}` : ''
  const unsent = txHash ? '' : ' Nothing was sent, so no money left your wallet.'
  return [
    `Your payment of ${amountText(amount, decimals)} ${asset}${what} on ${networkTitle(network)} failed on ${wholeDate(new Date(createdAt), zone)}.`,
    `Why: ${reasonTitle ?? reason}.${unsent}`,
    `What to do: ${adviceFor(reason, asset)}`,
    ...(txHash ? [`Transaction: ${txHash}`] : []),
    `ID: ${settlementId ?? id}`,
  ].join('\n')
}
