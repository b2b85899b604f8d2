import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

/** Loads in the browser after hydration. `place` has the final size; it stays when the code cannot be loaded. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(() =>
    load().then(
      (part) => ({ default: part }),
      (error: unknown) => {
        reportError(error)
        return { default: (() => place) as ComponentType<Props> }
      },
    ),
  )
  return function LazyPart(props: Props) {
    if (!useInBrowser()) return place
    return <Suspense fallback={place}>{createElement(Loaded, props)}</Suspense>
  }
}

const never = () => () => undefined

/** False on the server and during hydration. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
