import { keyNameAmong } from '@/server/accounts/key-name'
import { networkTitle } from '@/server/x402/networks/networks'
import { partsOf } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'

/** The filters that take several values, in their order. */
export const CHOICES = {
  reason: 'Reason',
  network: 'Network',
  key: 'Key',
  resource: 'Resource',
  payer: 'Payer',
  recipient: 'Recipient',
} as const

export type ChoiceName = keyof typeof CHOICES

/** The names of keys by their ids. */
export type KeyNames = readonly (readonly [id: string, name: string])[]

/** What people call a value. */
export function nameOf(name: ChoiceName, value: string, keys: KeyNames | undefined): string {
  if (name === 'network') return networkTitle(value)
  if (name === 'key') return keys?.find(([id]) => id === value)?.[1] ?? keyNameAmong({ id: value, name: '' })
  if (name === 'resource') {
    const { host, path } = partsOf(value)
    return path === '/' ? host : path
  }
  return shortened(value)
}
