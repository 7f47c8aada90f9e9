import { Problem } from '../../client/problem'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/fields'

/** The facilitator URL with a key that this page knows, and whether it was created here. */
export type KnownKey = { url: string; isNew: boolean }

const SECRET = /qt_[\w-]{43}/

type Props = {
  known: KnownKey | null
  /** Whether the merchant may have stored a key before. */
  hadKeys: boolean
  /** Whether this step is the next one to do. */
  isNext: boolean
  baseUrl: string
  error: { message: string } | null
  creating: boolean
  onCreate: () => void
  /** Sends a test payment, which creates a key; null where there is none. */
  onTest: (() => void) | null
  onPaste: (key: KnownKey) => void
}

/** Creates a key, or takes one that the merchant stored: the service keeps only its hash. */
export function KeyStep({ known, hadKeys, isNext, baseUrl, error, creating, onCreate, onTest, onPaste }: Props) {
  function paste(text: string) {
    const [secret] = SECRET.exec(text) ?? []
    if (secret) onPaste({ url: `${baseUrl}/v1/${secret}`, isNew: false })
  }
  return (
    <div className="grid gap-4 p-4">
      {error ? <Problem error={error} /> : null}
      <p className="max-w-prose text-soft">Your server uses this key to check and settle payments. We store only its hash.</p>
      <div className="grid justify-items-start gap-4">
        <span className="flex flex-wrap gap-2">
          <Button look={isNext ? 'primary' : 'plain'} disabled={creating} onClick={onCreate}>
            {known ? 'Create another key' : 'Create key'}
          </Button>
          {onTest ? <Button onClick={onTest}>Send a test payment</Button> : null}
        </span>
        {hadKeys ? (
          <TextField
            label="Or paste a key you kept"
            className="w-full sm:w-96"
            placeholder="qt_…"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => paste(target.value)}
          />
        ) : null}
      </div>
    </div>
  )
}
