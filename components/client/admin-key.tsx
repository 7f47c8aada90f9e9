import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { TextField } from '../ui/fields'
import { messageOf } from './wallets/sign-in-failures'

type Props = {
  onSignedIn: () => void
  /** What went wrong; null once it is no longer so. */
  onProblem: (problem: string | null) => void
  className?: string
}

/** Signs the operator in with the admin key. */
export function AdminKey({ onSignedIn, onProblem, className }: Props) {
  const [key, setKey] = useState('')
  async function submit(event: FormEvent) {
    event.preventDefault()
    const { signIn } = await import('next-auth/react')
    const answer = await signIn('admin', { key, redirect: false })
    if (answer?.ok) onSignedIn()
    else onProblem(answer?.error === 'CredentialsSignin' ? 'Wrong admin key.' : messageOf(answer?.error))
  }
  return (
    <form onSubmit={submit} className={cx('flex w-full items-end gap-2', className)}>
      <TextField
        label="Admin key"
        type="password"
        autoComplete="current-password"
        value={key}
        onChange={({ target }) => {
          setKey(target.value)
          onProblem(null)
        }}
        className="grow"
        required
      />
      <Button type="submit" look="primary" className="mb-1.5">
        Sign in
      </Button>
    </form>
  )
}
