import { Code } from './code'
import type { Language } from './highlighter'
import type { Fold } from './snippet'
import { CodeTabList } from './tab-list'

/** One way to write a program. `label` is the tab, for example a language. */
export type Variant = { label: string; name: string; code: string; language: Language }

/** The same program in several languages or frameworks. The reader's choice holds for every group of tabs, also on the next visit. */
export function CodeTabs({ title, variants, fold }: { title: string; variants: readonly Variant[]; fold?: Fold }) {
  const panels = variants.map(({ label, name, code, language }) => ({
    label,
    id: labelId(label),
    panel: <Code key={label} name={name} code={code} language={language} {...(fold ? { fold } : {})} />,
  }))
  return <CodeTabList title={title} panels={panels} />
}

/** A label as it stands in attributes: `Next.js` is `next-js`. */
const labelId = (label: string): string => label.toLowerCase().replace(/[^a-z]+/g, '-')
