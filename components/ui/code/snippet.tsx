import { lazy, type ReactNode, Suspense } from 'react'
import { CopyButton } from '../copy-button'
import type { Language } from './highlighter'

// Its colors arrive later in the same place: a screen does not wait for them.
const Light = lazy(() => import('./light').then(({ Light: loaded }) => ({ default: loaded })))

/** A named code block with a copy button. `language` gives it colors; without one it is plain. */
export function Snippet({ code, name, language = 'text' }: { code: string; name: string; language?: Language }) {
  return (
    <CodeFrame name={name} text={code}>
      {language === 'text' ? (
        code
      ) : (
        <Suspense fallback={code}>
          <Light code={code} language={language} />
        </Suspense>
      )}
    </CodeFrame>
  )
}

type FrameProps = {
  name: string
  text: string
  /** For a narrow column. */
  compact?: boolean | undefined
  children: ReactNode
}

/** The frame of every code block: its name, a button that copies `text`, and the code. */
export function CodeFrame({ name, text, compact = false, children }: FrameProps) {
  return (
    <figure className="snippet">
      <figcaption className={compact ? 'pl-[1.1rem]' : undefined}>
        <span>{name}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre tabIndex={0} className={compact ? 'px-[1.1rem] py-[0.9rem] text-[0.78rem]' : undefined}>
        <code>{children}</code>
      </pre>
    </figure>
  )
}
