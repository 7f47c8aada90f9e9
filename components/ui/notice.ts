import { explained } from '../client/errors'

/** Shows a toast. The library loads with the first one; if it fails to load, the screen still shows the result. */
export const notice = {
  success: (message: string): void => void show('success', message),
  error: (message: string): void => void show('error', message),
  /** What failed and what to do, in the words of `Problem`. */
  failure(error: { message: string }): void {
    const { title, advice } = explained(error)
    void show('error', title, advice)
  },
}

async function show(how: 'success' | 'error', message: string, description?: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast[how](message, description ? { description } : {})
}
