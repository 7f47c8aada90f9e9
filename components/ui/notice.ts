/** Shows a toast. The library loads with the first one; if it fails to load, the screen still shows the result. */
export const notice = {
  success: (message: string): void => void show('success', message),
  error: (message: string): void => void show('error', message),
}

async function show(how: 'success' | 'error', message: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast[how](message)
}
