// By the word with which next-auth sends people back here.
const WORDS: Record<string, string> = {
  Callback:
    'Your identity provider did not let you in, or you turned back there. Try once more; if it happens again, ask whoever runs it whether you may use this service.',
  OAuthCallback:
    'The sign-in could not be finished: it took too long, was opened twice, or the answer of your identity provider was not what it must be. Try once more; if it happens again, tell whoever runs this service, whose log says why.',
  OAuthSignin:
    'Your identity provider cannot be reached at the moment. Try again in a minute; if it stays so, tell whoever runs this service.',
  AccessDenied: 'You may not sign in here with that account. Use another one, or ask whoever runs this service.',
  Configuration: 'Signing in is not set up as it must be. Tell whoever runs this service: its log says what is missing.',
  TooMany: 'Too many attempts came from your network. Wait a few seconds, then try again.',
  Unavailable:
    'The service cannot reach its database, so nothing has changed: who was signed in still is. Try again in a minute.',
  SessionRequired: 'Sign in to see that page.',
}

const OTHER = 'That did not work. Try once more; if it happens again, tell whoever runs this service.'

/** What went wrong with a sign-in and what to do, for people. Null where nothing did. */
export function failureOf(word: string | null): string | null {
  if (word === null || word === '') return null
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? OTHER) : OTHER
}

/** What next-auth answered to a key or a signature, for people: our words are sentences already. */
export function saidOf(error: string | null | undefined): string {
  if (!error) return OTHER
  return Object.hasOwn(WORDS, error) || !error.includes(' ') ? (failureOf(error) ?? OTHER) : error
}
