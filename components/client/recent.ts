const NAME = 'palette-recent'
const KEPT = 5

/** A place that an account opened from the palette. */
export type Place = { title: string; about: string; href: string }

/** The places that an account opened last, newest first. This browser keeps them until the account signs out. */
export const recent = {
  of(account: string): Place[] {
    const { account: its, places } = Object(parsed(localStorage.getItem(NAME)))
    return its === account && Array.isArray(places) ? places.filter(isPlace) : []
  },
  add(account: string, { title, about, href }: Place): void {
    const places = [{ title, about, href }, ...recent.of(account).filter((one) => one.href !== href)].slice(0, KEPT)
    localStorage.setItem(NAME, JSON.stringify({ account, places }))
  },
  forget(): void {
    localStorage.removeItem(NAME)
  },
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

// Only paths of this service: an earlier version or another program may have written anything.
function isPlace(value: unknown): value is Place {
  const { title, about, href } = Object(value)
  return typeof title === 'string' && typeof about === 'string' && typeof href === 'string' && /^\/(?!\/)/.test(href)
}
