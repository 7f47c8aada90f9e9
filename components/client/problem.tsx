import { TriangleAlert } from 'lucide-react'
import { Button, buttonClass } from '../ui/button'
import { explained } from './errors'

type Props = {
  error: { message: string }
  retry?: () => void
  /** Whether it stands in place of all that a page shows. */
  whole?: boolean
}

/** An error: what happened, what to do, and the way there. */
export function Problem({ error, retry, whole = false }: Props) {
  const { title, advice, way } = explained(error)
  const size = whole ? 'usual' : 'small'
  const action =
    way === 'sign in' ? (
      <Button size={size} onClick={() => location.assign(signInHere())}>
        Sign in
      </Button>
    ) : retry && way === 'retry' ? (
      <Button size={size} look={whole ? 'primary' : 'plain'} onClick={() => retry()}>
        Try again
      </Button>
    ) : null
  if (whole) {
    return (
      <div role="alert" className="grid justify-items-center gap-2 panel px-6 py-12 text-center">
        <TriangleAlert aria-hidden className="size-8 text-bad" />
        <p className="font-semibold wrap-anywhere">{title.replace(/\.$/, '')}</p>
        {advice ? <p className="max-w-prose text-balance wrap-anywhere text-soft">{advice}</p> : null}
        <span className="mt-2 flex flex-wrap justify-center gap-2">
          {action}
          <a href="/status" className={buttonClass()}>
            Service status
          </a>
        </span>
      </div>
    )
  }
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-bad-wash px-4 py-3 text-bad">
      <span className="grid min-w-0">
        <span className="font-medium wrap-anywhere">{title}</span>
        {advice ? <span className="wrap-anywhere">{advice}</span> : null}
      </span>
      {action}
    </div>
  )
}

/** The sign-in page, which returns to this page. */
export function signInHere(): string {
  return `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`
}
