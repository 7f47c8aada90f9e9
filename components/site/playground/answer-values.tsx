'use client'

import { z } from 'zod'
import { parsed } from '../../client/paid-request/exchange'

/** What was bought: the values of a small answer in large, with their names; any other answer as it is. */
export function AnswerValues({ text }: { text: string }) {
  const values = valuesIn(text)
  if (values === null) return <pre className="w-full overflow-x-auto text-[0.82rem] whitespace-pre-wrap">{text}</pre>
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt className="text-[0.85rem] text-soft first-letter:uppercase">{name}</dt>
          <dd className="text-[1.7rem] leading-tight font-[650] tracking-[-0.02em] tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const VALUES_MAX = 5

const smallAnswer = z.record(z.string(), z.union([z.string().max(24), z.number()]))

function valuesIn(text: string): [name: string, value: string | number][] | null {
  const values = Object.entries(smallAnswer.safeParse(parsed(text)).data ?? {})
  return values.length === 0 || values.length > VALUES_MAX ? null : values
}
