import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useInBrowser } from './use-in-browser'

/**
 * A component that loads when it first shows; `meanwhile` keeps its place. It does the work of the larger `next/dynamic`. Only the browser
 * draws it, because the browser policy refuses the styles that libraries write into HTML.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, meanwhile: ReactNode = null): ComponentType<P> {
  const Loaded: ComponentType<P> = lazy(() => load().then((loaded) => ({ default: loaded })))
  return (props) => (
    <InBrowser meanwhile={meanwhile}>
      <Loaded {...props} />
    </InBrowser>
  )
}

function InBrowser({ meanwhile, children }: { meanwhile: ReactNode; children: ReactNode }) {
  const inBrowser = useInBrowser(() => true, false)
  return inBrowser ? <Suspense fallback={meanwhile}>{children}</Suspense> : meanwhile
}
