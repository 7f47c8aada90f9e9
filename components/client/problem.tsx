import { Button } from '../ui/button'
import { explained } from './errors'

/** An error: what happened, what to do, and the way there. */
export function Problem({ error, retry }: { error: { message: string }; retry?: () => void }) {
  const { title, advice, way } = explained(error)
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-bad-wash px-4 py-3 text-bad">
      <span className="grid min-w-0">
        <span className="font-medium wrap-anywhere">{title}</span>
        {advice ? <span className="wrap-anywhere">{advice}</span> : null}
      </span>
      {way === 'sign in' ? (
        <Button size="small" onClick={() => location.assign(signInHere())}>
          Sign in
        </Button>
      ) : retry && way === 'retry' ? (
        <Button size="small" onClick={() => retry()}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}

/** The sign-in page, which returns to this page. */
export function signInHere(): string {
  return `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`
}
