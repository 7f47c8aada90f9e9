import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { CopyLine } from './copy-line'
import { Dialog } from './dialog'

/** Shows a secret once: named lines to copy. It is open while there are lines, and closes after a copy or a confirmation. */
export function ShownOnce(props: {
  title: string
  description: string
  lines: Readonly<Record<string, string>> | null
  children?: ReactNode
  onClose: () => void
  /** A screen to open after it is saved. */
  next?: { href: string; text: string }
}) {
  const { title, description, lines, children, onClose, next } = props
  const router = useRouter()
  const [kept, setKept] = useState(false)
  function close() {
    setKept(false)
    onClose()
  }
  return (
    <Dialog firm title={title} open={lines !== null} onClose={close} description={description}>
      <div className="grid gap-4">
        {Object.entries(lines ?? {}).map(([name, text]) => (
          <CopyLine key={name} name={name} text={text} onCopied={() => setKept(true)} />
        ))}
        {children}
        <label className="flex min-h-8 items-center gap-2">
          <input type="checkbox" checked={kept} onChange={({ target }) => setKept(target.checked)} />
          <span>I stored it where I can find it</span>
        </label>
        <div className="flex flex-wrap justify-end gap-2">
          {next ? (
            <Button
              disabled={!kept}
              onClick={() => {
                close()
                router.push(next.href)
              }}
            >
              {next.text}
            </Button>
          ) : null}
          <Button look="primary" disabled={!kept} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
