import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { cx } from './class-names'
import { CopyAction } from './copy-action'
import { Dialog } from './dialog'
import { Segments } from './segments'

/** Shows a secret once, in named forms to copy. It is open while there are forms, and closes after a copy or a confirmation. */
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
    <Dialog firm title={title} open={lines !== null} onClose={close}>
      <div className="grid grid-cols-1 gap-4">
        <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">
          <span className="block">Copy it now: you won't see it again.</span> {description}
        </p>
        {lines ? <Forms lines={lines} kept={kept} onCopied={() => setKept(true)} /> : null}
        {children}
        <label className="flex min-h-8 items-center gap-2">
          <input type="checkbox" checked={kept} onChange={({ target }) => setKept(target.checked)} />
          <span>I stored it where I can find it</span>
        </label>
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t bg-card px-5 py-3">
          <span className={cx('mr-auto self-center text-sm text-soft', kept && 'invisible')}>
            Copy it or tick the box to go on.
          </span>
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
          <Button look={kept ? 'primary' : 'plain'} disabled={!kept} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

// It ends every form.
const SECRET = /(?:qt|whsec)_/

type FormsProps = { lines: Readonly<Record<string, string>>; kept: boolean; onCopied: () => void }

/** One form at a time, all of it in sight. */
function Forms({ lines, kept, onCopied }: FormsProps) {
  const names = Object.keys(lines)
  const [chosen, setChosen] = useState(names[0] ?? '')
  const text = lines[chosen] ?? ''
  const start = Math.max(0, text.search(SECRET))
  return (
    <div className="grid grid-cols-1 gap-2">
      <Segments
        label="Form"
        value={chosen}
        options={names.map((name) => [name, name] as const)}
        onChange={setChosen}
        className="justify-self-start"
      />
      <pre className="min-h-17 rounded-lg bg-code p-3 max-sm:min-h-22 text-sm break-all whitespace-pre-wrap">
        <code className="text-[0.9375rem] select-all">
          {text.slice(0, start)}
          <span className="font-semibold text-accent">{text.slice(start)}</span>
        </code>
      </pre>
      {/* Another form was not copied yet. */}
      <CopyAction key={chosen} look={kept ? 'plain' : 'primary'} text={text} onCopied={onCopied} className="justify-center">
        {`Copy ${lowerFirst(chosen)}`}
      </CopyAction>
    </div>
  )
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
