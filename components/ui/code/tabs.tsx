import { Code } from './code'
import type { Language } from './highlighter'
import type { Fold } from './snippet'
import { CodeTabList } from './tab-list'

/** One way to write a program. `label` is the tab, for example a language; `commands` install and run it. */
export type Variant = { label: string; name: string; code: string; language: Language; commands?: string }

/** The same program in several languages or frameworks. The reader's choice holds for every group of tabs, also on the next visit. */
export function CodeTabs({ title, variants, fold }: { title: string; variants: readonly Variant[]; fold?: Fold }) {
  const panels = variants.map(({ label, name, code, language, commands }) => ({
    label,
    id: labelId(label),
    panel: (
      <div key={label} className="grid grid-cols-1 gap-4">
        <Code name={name} code={code} language={language} {...(fold ? { fold } : {})} />
        {commands === undefined ? null : <Code name="Install and run" code={commands} language="shellscript" />}
      </div>
    ),
  }))
  return <CodeTabList title={title} panels={panels} />
}

/** A label as it stands in attributes: `Next.js` is `next-js`. */
export const labelId = (label: string): string => label.toLowerCase().replace(/[^a-z]+/g, '-')
