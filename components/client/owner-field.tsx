'use client'

import { Popover } from '../ui/popover'
import { useTyped } from '../ui/use-typed'

type Props = { button: HTMLElement; applied: string; onApply: (text: string) => void; onClose: () => void }

/** An open field for an owner or a tenant. It applies as one types, and at once when it closes; Enter closes it. */
export function OwnerField({ button, applied, onApply, onClose }: Props) {
  const { text, setText, apply } = useTyped({ applied, onApply })
  const leave = () => {
    apply()
    onClose()
  }
  return (
    <Popover
      button={button}
      title="Owner"
      role="dialog"
      align="start"
      onClose={leave}
      className="w-[min(22rem,calc(100vw-1rem))] p-3"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          button.focus()
          leave()
        }}
      >
        <input
          value={text}
          onChange={({ target }) => setText(target.value)}
          aria-label="Owner or tenant ID"
          placeholder="Owner or tenant ID"
          maxLength={200}
          className="h-9 w-full rounded-lg border bg-card px-3 text-sm hover:border-accent max-sm:h-10"
        />
        <p className="mt-2 text-xs text-soft">
          A subject, a wallet or a tenant ID. Write <code>owner:</code> before a subject that is a UUID.
        </p>
      </form>
    </Popover>
  )
}
