import { useState } from 'react'
import { fieldError } from '../../client/errors'
import type { OwnKey } from '../../client/own-key'
import { spanText } from '../../ui/dates'
import { TextField } from '../../ui/fields'
import { usdc } from '../../ui/figures'
import { atomicOf } from './limit-fields'

/** The fields of the policy that the service checks. */
export const CLAIM_FIELDS = ['claimAbove', 'claimAfterSeconds', 'claimMaxGasPrice'] as const

type Policy = Pick<OwnKey, (typeof CLAIM_FIELDS)[number]>

const GWEI = 9

/** When the vouchers of a key's channels are claimed, in a sentence. */
export function claimsText({ claimAbove, claimAfterSeconds, claimMaxGasPrice }: Policy): string {
  const above = claimAbove === null ? '10.00' : usdc(claimAbove)
  const after = claimAfterSeconds === null ? 'an hour' : spanText(claimAfterSeconds)
  const gas = claimMaxGasPrice === null ? '' : `; the first while gas costs at most ${gweiOf(claimMaxGasPrice)} gwei`
  return `From ${above} USDC, or after ${after}${gas}`
}

/** The policy of a key while it is edited. `policy` is null while it is invalid. */
export function useClaimPolicy(initial: Policy) {
  const [written, setWritten] = useState({
    claimAbove: initial.claimAbove === null ? '' : usdc(initial.claimAbove).replaceAll(',', ''),
    claimAfterSeconds: initial.claimAfterSeconds?.toString() ?? '',
    claimMaxGasPrice: initial.claimMaxGasPrice === null ? '' : gweiOf(initial.claimMaxGasPrice),
  })
  const read = {
    claimAbove: atomicOf(written.claimAbove),
    claimAfterSeconds: secondsOf(written.claimAfterSeconds),
    claimMaxGasPrice: weiOf(written.claimMaxGasPrice),
  }
  const { claimAbove, claimAfterSeconds, claimMaxGasPrice } = read
  const policy =
    claimAbove === undefined || claimAfterSeconds === undefined || claimMaxGasPrice === undefined
      ? null
      : { claimAbove, claimAfterSeconds, claimMaxGasPrice }
  return { policy, fields: { written, setWritten, read } }
}

/** Whole seconds; null if empty, undefined if invalid. */
export function secondsOf(written: string): number | null | undefined {
  if (written.trim() === '') return null
  return /^\d{1,7}$/.test(written.trim()) ? Number(written.trim()) : undefined
}

const GWEI_AMOUNT = /^(\d{1,9})(?:\.(\d{1,9}))?$/

/** The wei of an amount of gwei; null if empty, undefined if invalid. */
export function weiOf(written: string): string | null | undefined {
  if (written.trim() === '') return null
  const [, whole, fraction = ''] = GWEI_AMOUNT.exec(written.trim()) ?? []
  return whole === undefined ? undefined : String(BigInt(`${whole}${fraction.padEnd(GWEI, '0')}`))
}

/** Wei as gwei, exactly. */
export function gweiOf(wei: string): string {
  const digits = wei.padStart(GWEI + 1, '0')
  const fraction = digits.slice(-GWEI).replace(/0+$/, '')
  return `${digits.slice(0, -GWEI)}${fraction === '' ? '' : `.${fraction}`}`
}

type Props = ReturnType<typeof useClaimPolicy>['fields'] & { error: { message: string } | null }

const FIELDS = {
  claimAbove: {
    label: 'Claim from (USDC unclaimed)',
    inputMode: 'decimal',
    placeholder: '10',
    hint: 'Leave empty for 10 USDC.',
    wrong: 'Enter an amount such as 10, or leave empty.',
  },
  claimAfterSeconds: {
    label: 'Claim after (seconds)',
    inputMode: 'numeric',
    placeholder: '3600',
    hint: "Leave empty for an hour. It is a third of a channel's delay where that is less.",
    wrong: 'Enter whole seconds, or leave empty.',
  },
  claimMaxGasPrice: {
    label: 'Highest gas price (gwei)',
    inputMode: 'decimal',
    placeholder: 'Any',
    hint: 'Leave empty for any. It only delays claims by amount.',
    wrong: 'Enter gwei such as 0.5, or leave empty.',
  },
} as const satisfies Record<keyof Policy, object>

/** The fields of when we claim the vouchers of channels. */
export function ClaimFields({ written, setWritten, read, error }: Props) {
  return (
    <fieldset className="grid gap-4">
      <legend className="pb-1 text-sm font-medium">
        Claims of <a href="/docs/channels#claims">channels</a>
      </legend>
      {CLAIM_FIELDS.map((name) => {
        const { wrong, ...field } = FIELDS[name]
        return (
          <TextField
            key={name}
            {...field}
            value={written[name]}
            onChange={({ target }) => setWritten({ ...written, [name]: target.value })}
            error={read[name] === undefined ? wrong : fieldError(error, name)}
          />
        )
      })}
    </fieldset>
  )
}
