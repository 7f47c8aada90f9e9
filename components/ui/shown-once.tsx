import type { ReactNode } from 'react'
import { Button } from './button'
import { Copyable } from './copyable'
import { Dialog } from './dialog'

/** Shows a secret once: named lines to copy. It is open while there are lines and closes by its button only. */
export function ShownOnce(props: {
  title: string
  description: string
  lines: Readonly<Record<string, string>> | null
  children?: ReactNode
  onClose: () => void
}) {
  const { title, description, lines, children, onClose } = props
  return (
    <Dialog firm title={title} open={lines !== null} onClose={onClose} description={description}>
      <div className="grid gap-4">
        {Object.entries(lines ?? {}).map(([name, text]) => (
          <div key={name} className="grid gap-1">
            <span className="text-[0.8125rem] text-soft">{name}</span>
            <div className="min-w-0 rounded-lg bg-code px-3 py-2.5">
              <Copyable text={text} shown={text} label={name} />
            </div>
          </div>
        ))}
        {children}
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I've saved it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
