'use client'

import { Server } from 'lucide-react'
import type { Environment } from '@/server/x402/environments'
import { useCommands } from '../shell/commands'
import { Segments } from '../ui/segments'

const OPTIONS = [
  ['mainnet', 'Mainnet'],
  ['testnet', 'Testnet'],
] as const

type Props = { value: Environment | undefined; onChange: (value: Environment) => void }

/** Switches the figures of a screen between mainnets and testnets. Neither is chosen while that is not known. */
export function EnvironmentSwitch({ value, onChange }: Props) {
  const other = value === 'mainnet' ? 'testnet' : 'mainnet'
  useCommands([{ title: `Switch to ${other}s`, key: 'm', icon: Server, run: () => onChange(other) }])
  return <Segments label="Mainnet or testnet" value={value} options={OPTIONS} onChange={onChange} />
}
