import { type Finality, finalities } from '@/server/x402/networks/finality'
import type { OwnKey } from '../../client/own-key'
import { ChoiceField } from '../../ui/fields'

/** How the payments of a key are settled, while it is edited. */
export type Settling = Pick<OwnKey, 'shareTransactions' | 'waitUntil'>

const WAITS: Record<Finality, string> = {
  preconfirmed: 'At preconfirmation',
  included: 'In a block',
  safe: 'Safe',
  finalized: 'Finalized',
}

type Props = { settling: Settling; onChange: (settling: Settling) => void }

/** The fields for when settle answers, and whether payments share transactions. */
export function SettlingFields({ settling, onChange }: Props) {
  return (
    <>
      <ChoiceField
        label="When to answer settle requests"
        value={settling.waitUntil ?? ''}
        options={[
          ['', 'As usual: in a block, on /flash at preconfirmation'],
          ...finalities.map((finality) => [finality, WAITS[finality]] as const),
        ]}
        onChange={({ target }) => onChange({ ...settling, waitUntil: finalities.find((one) => one === target.value) ?? null })}
        hint={
          <>
            On Base, a block is safe after about 12 seconds and finalized after some minutes. After 20 seconds we answer{' '}
            <code>settlement_pending</code>. <a href="/docs/settlement">How payments settle</a>
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
          One transaction per payment
          <span className="block text-sm text-soft">
            If off, payments that arrive together share a transaction. Each answer names its own log in it.
          </span>
        </span>
      </label>
    </>
  )
}
