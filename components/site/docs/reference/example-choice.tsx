'use client'

import { createContext, type ReactNode, use, useState } from 'react'
import { Choice } from '../../../ui/fields'

type Props = {
  /** What the examples are of: "Example". */
  label: string
  examples: readonly { name: string; shown: ReactNode }[]
}

const Place = createContext<readonly [at: number, choose: (at: number) => void]>([0, () => undefined])

/** The choices within it show the same form. */
export function Chosen({ children }: { children: ReactNode }) {
  return <Place value={useState(0)}>{children}</Place>
}

/** Examples of which one shows, chosen by its name: the first until then. It stands in a `Chosen`. */
export function ExampleChoice({ label, examples }: Props) {
  const [at, setAt] = use(Place)
  if (examples.length < 2) return examples[0]?.shown
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex items-center gap-2 text-[0.88rem] font-semibold">
        <span aria-hidden>{label}</span>
        <Choice
          label={label}
          className="font-normal"
          options={examples.map(({ name }, place) => [String(place), name])}
          value={at}
          onChange={({ target }) => setAt(Number(target.value))}
        />
      </div>
      {examples.map(({ name, shown }, place) => (
        <div key={name} hidden={place !== at}>
          {shown}
        </div>
      ))}
    </div>
  )
}
