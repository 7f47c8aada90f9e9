import { type Finality, finalities } from '@/server/x402/finality'
import { ChoiceField } from '../ui/fields'
import type { OwnKey } from './own-key'

/** How the payments of a key are settled, while it is edited. */
export type Settling = Pick<OwnKey, 'shareTransactions' | 'waitUntil'>

const WAITS: Record<Finality, string> = {
  preconfirmed: 'at preconfirmation',
  included: 'when it is in a block',
  safe: 'when it is safe',
  finalized: 'when it is finalized',
}

type Props = { settling: Settling; onChange: (settling: Settling) => void }

/** The fields for when settle answers, and whether payments share transactions. */
export function SettlingFields({ settling, onChange }: Props) {
  return (
    <>
      <ChoiceField
        label="Settle answers"
        value={settling.waitUntil ?? ''}
        options={[['', 'as the URL says'], ...finalities.map((finality) => [finality, WAITS[finality]] as const)]}
        onChange={({ target }) => onChange({ ...settling, waitUntil: finalities.find((one) => one === target.value) ?? null })}
        hint={
          <>
            The URL says: in a block, and below <code>/flash</code> at preconfirmation. Safe takes some 12 seconds, finalized
            minutes on Base. After 20 seconds the answer is <code>settlement_pending</code>.{' '}
            <a href="/docs/settlement">How payments settle</a>
          </>
        }
      />
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-1"
          checked={!settling.shareTransactions}
          onChange={({ target }) => onChange({ ...settling, shareTransactions: !target.checked })}
        />
        <span>
          A transaction for each payment
          <span className="block text-[0.8125rem] text-soft">
            Otherwise a busy network carries several payments in one transaction, and each answer names its log.
          </span>
        </span>
      </label>
    </>
  )
}
