import { useInBrowser } from '../../ui/use-in-browser'

/** The path of the page; null in HTML, because only the browser knows it. */
export const usePath = (): string | null => useInBrowser<string | null>(() => location.pathname, null)
