import { lazy, type ReactNode, Suspense } from 'react'
import { cx } from '../class-names'
import { CopyButton } from '../copy-button'
import type { Language } from './highlighter'

// Its colors arrive later in the same place: a screen does not wait for them.
const Light = lazy(() => import('./light').then(({ Light: loaded }) => ({ default: loaded })))

type Props = {
  code: string
  name: string
  language?: Language
  fold?: Fold
  /** Whether to copy it is the first action of its screen. */
  leads?: boolean
  /** Breaks long lines instead of scrolling. For languages whose strings end in their line. */
  wraps?: boolean
}

/** A named code block with a copy button. `language` gives it colors; without one it is plain. */
export function Snippet({ code, name, language = 'text', fold, leads, wraps = false }: Props) {
  return (
    <CodeFrame name={name} text={code} fold={fold} leads={leads}>
      {wraps ? (
        <Wrapped code={code} language={language} />
      ) : language === 'text' ? (
        code
      ) : (
        <Suspense fallback={code}>
          <Light code={code} language={language} />
        </Suspense>
      )}
    </CodeFrame>
  )
}

// By the depth of a line, two blanks a step. Classes: the browser refuses styles in HTML.
const HANGING = ['pl-[2ch] indent-[-2ch]', 'pl-[4ch] indent-[-4ch]', 'pl-[6ch] indent-[-6ch]', 'pl-[8ch] indent-[-8ch]'] as const

// The rest of a long line stands deeper than its beginning.
function Wrapped({ code, language }: { code: string; language: Language }) {
  return code.split('\n').map((line, at) => hanging(line, at, language))
}

function hanging(line: string, at: number, language: Language) {
  const depth = Math.floor(line.search(/\S|$/) / 2)
  return (
    <span key={`${at}`} className={cx('block whitespace-pre-wrap wrap-anywhere', HANGING[depth] ?? HANGING.at(-1))}>
      <Suspense fallback={line}>
        <Light code={line} language={language} />
      </Suspense>
      {'\n'}
    </span>
  )
}

/** From which length a block shows its first lines only: `early` in a narrow column, `brief` fewer of them. A phone folds any long one. */
export type Fold = 'brief' | 'early' | 'late'

const FOLDED_FROM = { brief: 18, early: 18, late: 48 } as const satisfies Record<Fold, number>
const FOLDED_ON_PHONES_FROM = 20
const FILLED = 'bg-accent text-paper hover:bg-accent hover:text-paper hover:brightness-110 data-[state=copied]:text-paper'

type FrameProps = {
  name: string
  text: string
  /** Without it all lines are shown. */
  fold?: Fold | undefined
  leads?: boolean | undefined
  /** Whether a phone breaks long lines between elements instead of scrolling. */
  wrapsOnPhones?: boolean
  children: ReactNode
}

/** The frame of every code block: its name, a button that copies `text`, and the code. */
export function CodeFrame({ name, text, fold, leads = false, wrapsOnPhones = false, children }: FrameProps) {
  const lines = text.split('\n').length
  const folded = fold === undefined ? null : lines > FOLDED_FROM[fold] ? fold : lines > FOLDED_ON_PHONES_FROM ? 'phone' : null
  return (
    <figure className="snippet" data-fold={folded ?? undefined} data-wraps={wrapsOnPhones || undefined}>
      <figcaption>
        <span>{name}</span>
        <CopyButton text={text} className={leads ? FILLED : undefined} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
      {/* The style sheet folds the lines above it while it is closed: it works without scripts. */}
      {folded === null ? null : (
        <details className="fold">
          <summary>
            <span>Show all {lines} lines</span>
            <span>Show fewer lines</span>
          </summary>
        </details>
      )}
    </figure>
  )
}
