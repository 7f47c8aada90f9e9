/** Shows a toast. The library loads with the first one; if it fails to load, the screen still shows the result. */
export const notice = {
  success: (message: string): void => void show('success', message),
  /** What failed, and what to do. */
  error: (message: string, advice?: string): void => void show('error', message, advice),
}

async function show(how: 'success' | 'error', message: string, description?: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast[how](message, description ? { description } : {})
}
