/** The name under which the choice is stored. The first script of a page reads it before the first paint. */
const CODE_KEY = 'code'

const listeners = new Set<() => void>()

/** The reader's choice of language, on the root element and in the browser's storage. */
export const chosenCode = {
  read: (): string | null => document.documentElement.dataset.code ?? null,
  choose(id: string): void {
    document.documentElement.dataset.code = id
    try {
      localStorage.setItem(CODE_KEY, id)
    } catch {
      // Storage is off: the choice holds until the page is left.
    }
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
