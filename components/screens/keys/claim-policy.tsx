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
  const [above, setAbove] = useState(initial.claimAbove === null ? '' : usdc(initial.claimAbove).replaceAll(',', ''))
  const [after, setAfter] = useState(initial.claimAfterSeconds?.toString() ?? '')
  const [gas, setGas] = useState(initial.claimMaxGasPrice === null ? '' : gweiOf(initial.claimMaxGasPrice))
  const [claimAbove, claimAfterSeconds, claimMaxGasPrice] = [atomicOf(above), secondsOf(after), weiOf(gas)]
  const policy =
    claimAbove === undefined || claimAfterSeconds === undefined || claimMaxGasPrice === undefined
      ? null
      : { claimAbove, claimAfterSeconds, claimMaxGasPrice }
  return { policy, fields: { above, setAbove, after, setAfter, gas, setGas, claimAbove, claimAfterSeconds, claimMaxGasPrice } }
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

/** The fields of when we claim the vouchers of channels. */
export function ClaimFields({ above, setAbove, after, setAfter, gas, setGas, error, ...read }: Props) {
  return (
    <fieldset className="grid gap-4">
      <legend className="pb-1 text-sm font-medium">
        Claims of <a href="/docs/channels#claims">channels</a>
      </legend>
      <TextField
        label="Claim from (USDC unclaimed)"
        inputMode="decimal"
        value={above}
        onChange={({ target }) => setAbove(target.value)}
        placeholder="10"
        error={read.claimAbove === undefined ? 'Enter an amount such as 10, or leave empty.' : fieldError(error, 'claimAbove')}
        hint="Leave empty for 10 USDC."
      />
      <TextField
        label="Claim after (seconds)"
        inputMode="numeric"
        value={after}
        onChange={({ target }) => setAfter(target.value)}
        placeholder="3600"
        error={
          read.claimAfterSeconds === undefined ? 'Enter whole seconds, or leave empty.' : fieldError(error, 'claimAfterSeconds')
        }
        hint="Leave empty for an hour. It is a third of a channel's delay where that is less."
      />
      <TextField
        label="Highest gas price (gwei)"
        inputMode="decimal"
        value={gas}
        onChange={({ target }) => setGas(target.value)}
        placeholder="Any"
        error={
          read.claimMaxGasPrice === undefined ? 'Enter gwei such as 0.5, or leave empty.' : fieldError(error, 'claimMaxGasPrice')
        }
        hint="Leave empty for any. It only delays claims by amount."
      />
    </fieldset>
  )
}
