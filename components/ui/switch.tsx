'use client'

import * as Radix from '@radix-ui/react-switch'

type Props = { id: string; checked: boolean; disabled: boolean; onChange: (on: boolean) => void }

/** A switch that takes effect at once. Its label points to its `id`. */
export function Switch({ onChange, ...rest }: Props) {
  return (
    <Radix.Root
      {...rest}
      onCheckedChange={onChange}
      className="relative h-6 w-10 shrink-0 rounded-full border bg-code data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="absolute top-0.5 left-0.5 size-4.5 rounded-full bg-soft transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-paper" />
    </Radix.Root>
  )
}
