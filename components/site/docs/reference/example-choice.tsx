'use client'

import { type ReactNode, useState } from 'react'
import { Choice } from '../../../ui/fields'

type Props = {
  /** What the examples are of: "Example". */
  label: string
  examples: readonly { name: string; shown: ReactNode }[]
}

/** Examples of which one shows, chosen by its name: the first until then. */
export function ExampleChoice({ label, examples }: Props) {
  const [at, setAt] = useState(0)
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
