import type { ReactNode } from 'react'

/** A part of an operation, such as its body. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 content-start gap-[0.4rem] pt-[0.6rem]">
      <h3 className="text-[0.95rem]">{title}</h3>
      {children}
    </div>
  )
}
