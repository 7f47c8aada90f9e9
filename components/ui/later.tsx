import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/**
 * A component that loads when it first shows; `meanwhile` keeps its place. For screens that only the browser draws, where it does the
 * work of the larger `next/dynamic`.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, meanwhile: ReactNode = null): ComponentType<P> {
  const Loaded: ComponentType<P> = lazy(() => load().then((loaded) => ({ default: loaded })))
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  )
}
