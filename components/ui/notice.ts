/** Shows a toast. The library loads with the first one; if it fails to load, the screen still shows the result. */
export const notice = {
  success: (message: string): void => void show('success', message),
  /** What was done with its consequence, and how to undo it. It stays long enough to read. */
  undoable: (message: string, consequence: string, undo: () => void): void =>
    void show('success', message, {
      description: consequence,
      action: { label: 'Undo', onClick: undo },
      duration: UNDO_MS,
    }),
  /** What failed, and what to do. */
  error: (message: string, advice?: string): void => void show('error', message, advice ? { description: advice } : {}),
}

const UNDO_MS = 12_000

type Options = { description?: string; action?: { label: string; onClick: () => void }; duration?: number }

async function show(how: 'success' | 'error', message: string, options: Options = {}): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast[how](message, options)
}
