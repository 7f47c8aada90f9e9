'use client'

import { Server } from 'lucide-react'
import type { Environment } from '@/server/x402/networks'
import { useCommands } from '../shell/commands'
import { cx } from '../ui/class-names'

const OPTIONS = [
  ['mainnet', 'Mainnet'],
  ['testnet', 'Testnet'],
] as const

type Props = { value: Environment | undefined; onChange: (value: Environment) => void }

/** Switches a screen between mainnets and testnets. Neither is selected while the value is unknown. */
export function EnvironmentSwitch({ value, onChange }: Props) {
  const other = value === 'mainnet' ? 'testnet' : 'mainnet'
  useCommands([{ title: `Switch to ${other}s`, key: 'm', icon: Server, run: () => onChange(other) }])
  return <Segments label="Mainnet or testnet" value={value} options={OPTIONS} onChange={onChange} />
}

type SegmentsProps<Value extends string> = {
  label: string
  value: Value | undefined
  options: readonly (readonly [value: Value, text: string])[]
  onChange: (value: Value) => void
}

/** A choice of two or three visible options. */
function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  return (
    <fieldset
      aria-label={label}
      className="m-0 inline-flex min-w-0 rounded-lg border border-solid border-line bg-card p-0.5 text-[0.8125rem]"
    >
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
          className={cx('h-7 rounded-md px-3', name === value ? 'bg-wash font-medium text-accent' : 'text-soft hover:text-ink')}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
