'use client'

import { CircleAlert } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Explanation } from '@/server/explain/checks'
import { Answer } from '../../client/explain/answer'
import { ask, type ExplainInput } from '../../client/explain/ask'
import { inputIn } from '../../client/explain/link'
import { Problem } from '../../client/problem'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { TextArea } from '../../ui/fields'
import { useEarlyText } from '../../ui/use-early-text'
import { Accepted, type Examples } from './accepted'
import { isPlainWords, needsRequirements } from './pasted-text'

const EMPTY: ExplainInput = { input: '', paymentRequirements: '' }

type Run =
  | { state: 'idle' | 'empty' | 'asking' }
  | { state: 'answered'; pasted: ExplainInput; answer: Explanation }
  | { state: 'failed'; error: Error }

/** Asks what a pasted payment is and why it fails. `examples`: a text of each kind to try. */
export function Explainer({ examples }: { examples: Examples }) {
  const [pasted, setPasted] = useState(EMPTY)
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const latest = useRef(0)
  const box = useRef<HTMLTextAreaElement>(null)
  // A form that is sent before its scripts run loses its text.
  const [listens, setListens] = useState(false)
  useEarlyText(box, (input) => setPasted({ ...EMPTY, input }))

  async function explain(next: ExplainInput) {
    setPasted(next)
    const turn = ++latest.current
    setRun({ state: 'asking' })
    const done = await ask(next).then(
      (answer): Run => ({ state: 'answered', pasted: next, answer }),
      (error: Error): Run => ({ state: 'failed', error }),
    )
    // An earlier answer must not replace a later one.
    if (turn !== latest.current) return
    setRun(done)
  }

  useEffect(() => {
    // Of a text that was cut, only the end is of interest.
    if (run.state === 'answered') box.current?.scrollTo(0, run.answer.kind === 'unknown' ? box.current.scrollHeight : 0)
  }, [run])

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address starts it
  useEffect(() => {
    const open = () => {
      const input = inputIn(location.hash)
      if (input) void explain({ ...EMPTY, input })
    }
    open()
    setListens(true)
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pasted.input.trim() !== '') return void explain(pasted)
    setRun({ state: 'empty' })
    box.current?.focus()
  }

  function submitByKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }

  // What an emptied field was about is over.
  function write(input: string) {
    setPasted({ ...pasted, input })
    if (input !== '') return
    latest.current++
    setRun({ state: 'idle' })
  }

  function clear() {
    latest.current++
    setPasted(EMPTY)
    setRun({ state: 'idle' })
  }

  const problem = problemOf(pasted.input, run)
  const answered = run.state === 'answered' ? run : null
  const waits = run.state === 'idle' || run.state === 'empty'
  const tries = waits || isUnknown(run)
  return (
    <div className={cx('grid grid-cols-1 gap-6', tries && 'lg:grid-cols-[minmax(0,1fr)_23rem]')}>
      <form onSubmit={submit} onKeyDown={submitByKey} className="grid content-start gap-4">
        <TextArea
          ref={box}
          label="Payment, 402 response or settlement ID"
          hint={
            <>
              As JSON, base64, a header or the output of <code>curl -i</code>.
            </>
          }
          error={problem === null ? undefined : <Strange>{problem}</Strange>}
          placeholder={PLACEHOLDER}
          // Short beside an answer.
          rows={tries ? 8 : 3}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          value={pasted.input}
          onChange={({ target }) => write(target.value)}
        />
        <details hidden={pasted.paymentRequirements === '' && !needsRequirements(pasted.input)}>
          <summary className="unfolds flex w-fit items-center gap-2.5 py-1 text-sm font-medium">
            Add the payment requirements
          </summary>
          <div className="mt-3">
            <TextArea
              label="Requirements"
              hint="A payment of version 1 does not contain them. Paste the 402 response, or one of its offers."
              rows={5}
              spellCheck={false}
              autoCapitalize="off"
              autoComplete="off"
              value={pasted.paymentRequirements}
              onChange={({ target }) => setPasted({ ...pasted, paymentRequirements: target.value })}
            />
          </div>
        </details>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            type="submit"
            look="primary"
            className="disabled:opacity-100"
            disabled={!listens}
            aria-disabled={run.state === 'asking'}
          >
            {run.state === 'asking' ? 'Explaining…' : 'Explain'}
          </Button>
          {pasted.input === '' && waits ? null : (
            <Button look="quiet" onClick={clear}>
              Clear
            </Button>
          )}
          <p className="text-sm text-soft">We send nothing on-chain, fetch no URL and keep nothing.</p>
        </div>
      </form>
      <div aria-live="polite" className="grid grid-cols-1 gap-6 empty:hidden">
        {run.state === 'failed' ? <Problem error={run.error} retry={() => void explain(pasted)} /> : null}
        {answered && !isUnknown(answered) ? <Answer answer={answered.answer} input={answered.pasted.input} /> : null}
      </div>
      {tries ? <Accepted examples={examples} explain={(input) => void explain({ ...EMPTY, input })} /> : null}
    </div>
  )
}

const PLACEHOLDER = 'PAYMENT-SIGNATURE: eyJ4NDAy…\n{ "x402Version": 2, … }\n019ab1c2-7d3e-7f4a-…'

const WORDS_ONLY = (
  <Told
    what="This is not a payment, a 402 response or a settlement ID."
    advice="Paste a PAYMENT-SIGNATURE header, JSON or an ID, or try an example."
  />
)

function Told({ what, advice }: { what: string; advice: string | null }) {
  return (
    <>
      <span className="font-medium">{what}</span> <span className="text-ink">{advice}</span>
    </>
  )
}

function Strange({ children }: { children: ReactNode }) {
  return (
    <span role="alert" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-1.5">
      <CircleAlert aria-hidden className="mt-0.5 size-4" />
      <span>{children}</span>
    </span>
  )
}

/** Whether nothing of the text could be read. */
const isUnknown = (run: Run): boolean =>
  run.state === 'answered' && run.answer.kind === 'unknown' && run.answer.fields.length === 0

/** Why what stands in the box cannot be explained, with what to do: seen at once, or by the answer. Null where it can. */
function problemOf(input: string, run: Run): ReactNode {
  if (run.state === 'empty' && input.trim() === '') return 'Paste something first, or try an example.'
  if (isPlainWords(input)) return WORDS_ONLY
  if (run.state !== 'answered' || !isUnknown(run) || run.pasted.input !== input) return null
  return run.answer.checks.map(({ evidence, remedy }) => <Told key={evidence} what={evidence} advice={remedy} />)
}
