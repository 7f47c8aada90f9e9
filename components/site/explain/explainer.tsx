'use client'

import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Explanation } from '@/server/explain/checks'
import { Answer, Verdict } from '../../client/explain/answer'
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
    if (run.state === 'answered') box.current?.scrollTo(0, 0)
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
    write('')
    setPasted(EMPTY)
    box.current?.focus()
  }

  const problem = problemOf(pasted.input, run)
  const answered = run.state === 'answered' ? run : null
  const isCut = answered?.answer.kind === 'unknown' && !isUnknown(run)
  const tries = run.state === 'idle' || run.state === 'empty' || isUnknown(run)
  const isStrange = problem !== null && pasted.input.trim() !== ''
  return (
    <div className={cx('grid grid-cols-1 gap-6', tries && 'lg:grid-cols-[minmax(0,1fr)_23rem]')}>
      <form onSubmit={submit} onKeyDown={submitByKey} className="grid content-start gap-4">
        <TextArea
          ref={box}
          label="Payment, 402 response or settlement ID"
          hint={tries ? <>As {FORMS}.</> : null}
          error={
            problem ? (
              <div role="alert" className="mt-1 text-base">
                <Verdict tone="bad" headline={problem.what} text={problem.advice} checks={[]} />
              </div>
            ) : undefined
          }
          placeholder={PLACEHOLDER}
          // Short beside an answer.
          rows={tries && !isStrange ? 8 : 3}
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
          {pasted.input === '' || isCut ? null : (
            <Button look="quiet" onClick={clear}>
              Clear
            </Button>
          )}
          {tries ? <p className="text-sm text-soft">We send nothing on-chain, fetch no URL and keep nothing.</p> : null}
        </div>
      </form>
      <div aria-live="polite" className="grid grid-cols-1 gap-6 empty:hidden">
        {run.state === 'failed' ? <Problem error={run.error} retry={() => void explain(pasted)} /> : null}
        {answered && !isUnknown(run) ? (
          <Answer answer={answered.answer} input={answered.pasted.input} pasteAgain={clear} />
        ) : null}
      </div>
      {tries ? (
        <Accepted examples={examples} explain={(input) => void explain({ ...EMPTY, input })} hasPreview={!isStrange} />
      ) : null}
    </div>
  )
}

const PLACEHOLDER = 'PAYMENT-SIGNATURE: eyJ4NDAy…\n{ "x402Version": 2, … }\n019ab1c2-7d3e-7f4a-…'

const WORDS_ONLY = 'This is not a payment, a 402 response or a settlement ID'

const FORMS = (
  <>
    JSON, base64, a header or the output of <code>curl -i</code>
  </>
)

/** Whether nothing of the text could be read. */
const isUnknown = (run: Run): boolean =>
  run.state === 'answered' && run.answer.kind === 'unknown' && run.answer.fields.length === 0

/** Why what stands in the box cannot be explained, with what to do: seen at once, or by the answer. Null where it can. */
function problemOf(input: string, run: Run): { what: string; advice: ReactNode } | null {
  if (run.state === 'empty' && input.trim() === '') return { what: 'Paste something first', advice: 'Or try an example.' }
  if (isPlainWords(input)) return { what: WORDS_ONLY, advice: <>Paste one as {FORMS}, or try an example.</> }
  const [check] = run.state === 'answered' && isUnknown(run) && run.pasted.input === input ? run.answer.checks : []
  return check ? { what: check.evidence.replace(/\.$/, ''), advice: check.remedy } : null
}
