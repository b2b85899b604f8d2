import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * A part of a page whose code is fetched once the page stands in the browser: what few people need is not loaded by all.
 * The server and the first rendering show `place`, which has the part's final size. A part that cannot be fetched leaves
 * its place as it is: the rest of the page works without it.
 */
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

/** False on the server and while the browser takes over its rendering, true from then on. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
