/** Says in a corner of the page what became of something. It is loaded with the first of them; without it the screen itself tells. */
export const notice = {
  success: (message: string): void => void say('success', message),
  error: (message: string): void => void say('error', message),
}

async function say(how: 'success' | 'error', message: string): Promise<void> {
  const loaded = await import('sonner').catch(() => null)
  loaded?.toast[how](message)
}
