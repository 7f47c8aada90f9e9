'use client'

import { useState } from 'react'
import { symbolsOn } from '@/server/x402/networks/assets'
import { type NetworkId, networkIds, networkTitle } from '@/server/x402/networks/networks'
import { fieldError } from '../../client/errors'
import type { OwnKey } from '../../client/own-key'
import { networksFor, useSignedWallet } from '../../client/use-signed-wallet'
import { TextArea, TextField } from '../../ui/fields'
import { countedText } from '../../ui/list-summary'

const AMOUNT = /^(\d{1,15})(?:\.(\d{1,6}))?$/

/** The fields of the limits that the service checks. */
export const LIMIT_FIELDS = ['payToAllow', 'maxAmount'] as const

type KeyLimits = Pick<OwnKey, 'allowedNetworks' | 'payToAllow' | 'maxUsdc'>
const NO_LIMITS: KeyLimits = { allowedNetworks: [], payToAllow: [], maxUsdc: null }

/** The limits of a key while they are edited. `limits` is null while they are invalid. */
export function useLimits(initial: KeyLimits = NO_LIMITS) {
  const wallet = useSignedWallet()
  const offered = networksFor(wallet)
  const [networks, setNetworks] = useState<readonly string[]>(
    initial.allowedNetworks.length > 0 ? initial.allowedNetworks : offered,
  )
  const [recipients, setRecipients] = useState(initial.payToAllow.join('\n'))
  const [most, setMost] = useState(initial.maxUsdc ?? '')
  const amount = atomicOf(most)
  const allowed: NetworkId[] = offered.filter((id) => networks.includes(id))
  const limits =
    amount === undefined || allowed.length === 0
      ? null
      : {
          // All is stored as none, so that future networks are included.
          allowedNetworks: allowed.length === offered.length ? [] : allowed,
          payToAllow: wallet === null ? recipients.split(/[\s,]+/).filter(Boolean) : [wallet],
          maxAmount: amount,
        }
  return { limits, fields: { wallet, offered, networks, setNetworks, recipients, setRecipients, most, setMost, amount } }
}

type Limits = NonNullable<ReturnType<typeof useLimits>['limits']>

/** How many limits are set, as text; null if none is. */
export function limitsText({ allowedNetworks, payToAllow, maxAmount }: Limits): string | null {
  const set = [allowedNetworks.length > 0, payToAllow.length > 0, maxAmount !== null].filter(Boolean).length
  return set === 0 ? null : `${countedText(set, 'limit')} set`
}

type Props = ReturnType<typeof useLimits>['fields'] & { error: { message: string } | null }

/** The fields of a key's limits: networks, recipients, maximum. */
export function LimitFields({
  wallet,
  offered,
  networks,
  setNetworks,
  recipients,
  setRecipients,
  most,
  setMost,
  amount,
  error,
}: Props) {
  return (
    <>
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="pb-1 text-sm font-medium">Networks</legend>
        {offered.map((id) => (
          <label key={id} className="flex min-h-8 items-center gap-2 max-sm:min-h-10">
            <input
              type="checkbox"
              checked={networks.includes(id)}
              onChange={({ target }) => setNetworks(target.checked ? [...networks, id] : networks.filter((one) => one !== id))}
            />
            {networkTitle(id)}
          </label>
        ))}
        {networks.length === 0 ? <p className="text-sm text-bad sm:col-span-2">Select at least one.</p> : null}
      </fieldset>
      {wallet === null ? (
        <TextArea
          label="Recipients (payTo)"
          value={recipients}
          onChange={({ target }) => setRecipients(target.value)}
          rows={2}
          placeholder="0xYourAddress"
          error={fieldError(error, 'payToAllow')}
          hint="The only addresses that may be paid, one per line. Leave empty to allow any."
        />
      ) : (
        <TextField
          label="Recipient (payTo)"
          value={wallet}
          readOnly
          error={fieldError(error, 'payToAllow')}
          hint="Fixed: your keys pay the wallet that you signed in with, and no other."
        />
      )}
      <TextField
        label="Maximum per payment (USDC)"
        inputMode="decimal"
        value={most}
        onChange={({ target }) => setMost(target.value)}
        placeholder="0.05"
        error={amount === undefined ? 'Enter an amount such as 0.05, or leave empty.' : fieldError(error, 'maxAmount')}
        hint={
          amount
            ? `${BigInt(amount).toLocaleString('en')} atomic units; 1 USDC has 1,000,000.${severalTokens() ? ' Other tokens: as many of them.' : ''}`
            : 'Leave empty to allow any amount.'
        }
      />
    </>
  )
}

// One USDC stands for one of any other token.
const severalTokens = () => symbolsOn(networkIds).length > 1

/** The atomic units of a USDC amount; null if empty, undefined if invalid. */
export function atomicOf(written: string): string | null | undefined {
  if (written.trim() === '') return null
  const [, whole, fraction = ''] = AMOUNT.exec(written.trim()) ?? []
  const atomic = whole === undefined ? undefined : BigInt(`${whole}${fraction.padEnd(6, '0')}`)
  return atomic === undefined || atomic === 0n ? undefined : String(atomic)
}
