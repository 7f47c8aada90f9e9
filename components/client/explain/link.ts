const INPUT = 'input'

/** The address of the page with this input filled in. A fragment stays in the browser: no log ever has it. */
export function explainUrl(input: string): string {
  return `/explain#${INPUT}=${encodeURIComponent(input)}`
}

/** The input in the fragment of an address; null without one. */
export function inputIn(fragment: string): string | null {
  return new URLSearchParams(fragment.replace(/^#/, '').replaceAll('+', '%2B')).get(INPUT)
}
