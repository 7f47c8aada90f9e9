'use client'

import { type ReactNode, useState } from 'react'

type Props = {
  /** What the examples are of: "Body". */
  label: string
  examples: readonly { name: string; shown: ReactNode }[]
}

/** Examples of which one shows, chosen by its name: the first until then. */
export function ExampleChoice({ label, examples }: Props) {
  const [at, setAt] = useState(0)
  if (examples.length < 2) return examples[0]?.shown
  return (
    <div className="grid grid-cols-1 gap-2">
      <label className="flex items-center gap-2 text-[0.88rem] font-semibold">
        {label}
        <select
          className="h-8 min-w-0 rounded-lg border bg-card px-2 font-normal"
          value={at}
          onChange={({ target }) => setAt(Number(target.value))}
        >
          {examples.map(({ name }, place) => (
            <option key={name} value={place}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {examples.map(({ name, shown }, place) => (
        <div key={name} hidden={place !== at}>
          {shown}
        </div>
      ))}
    </div>
  )
}
