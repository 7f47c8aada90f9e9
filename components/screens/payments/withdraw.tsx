'use client'

import { BATCH_SETTLEMENT_CONTRACT } from '@/server/x402/schemes/batch-settlement/contracts'
import { leftIn, type PaidChannel } from '../../client/channels/state'
import { Snippet } from '../../ui/code/snippet'
import { spanText } from '../../ui/dates'
import { Dialog } from '../../ui/dialog'
import { Linked } from '../../ui/explorer-link'
import { moneyText } from '../../ui/figures'

const CHANNEL = '(address,address,address,address,address,uint40,bytes32)'

/** How a payer takes back what is left in a channel: two calls of its contract, with a delay between them. */
export function Withdraw({ channel, onClose }: { channel: PaidChannel; onClose: () => void }) {
  const { asset, network, config, withdrawDelay } = channel
  const left = leftIn(channel)
  const tuple = `(${[config.payer, config.payerAuthorizer, config.receiver, config.receiverAuthorizer, config.token, config.withdrawDelay, config.salt].join(',')})`
  const call = (name: string, types: string, args: string) =>
    `cast send ${BATCH_SETTLEMENT_CONTRACT} \\\n  '${name}(${types})' \\\n  '${tuple}'${args} \\\n  --rpc-url $RPC_URL --interactive`
  return (
    <Dialog title="Withdraw" open onClose={onClose} wide>
      <div className="grid gap-4">
        <p className="text-soft">
          Ask the merchant for a refund first: it is one call and costs you no gas. Without the merchant you can take back what no
          voucher promises, now {moneyText(left, asset)}.
        </p>
        <ol className="grid list-decimal gap-4 pl-5">
          <li className="grid gap-2">
            <span>Start the withdrawal from the wallet that pays. New vouchers are refused from then on.</span>
            <Snippet name="Start" code={call('initiateWithdraw', `${CHANNEL},uint128`, ` ${left}`)} />
          </li>
          <li>Wait {spanText(withdrawDelay)}. The merchant claims what you owe meanwhile.</li>
          <li className="grid gap-2">
            <span>Take the tokens.</span>
            <Snippet name="Finish" code={call('finalizeWithdraw', CHANNEL, '')} />
          </li>
        </ol>
        <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
          The contract: <Linked network={network} address={BATCH_SETTLEMENT_CONTRACT} label="contract" />
        </p>
      </div>
    </Dialog>
  )
}
