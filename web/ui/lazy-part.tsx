import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * Makes a part of the page that loads in the browser after hydration. `place` has the final size, and stays if the code
 * cannot be loaded. Without a network the part loads as soon as the network returns, because it may still be wanted.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place: ReactNode = null,
): ComponentType<Props> {
  const Loaded = lazy(() =>
    untilOnline(load).then(
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

async function untilOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    return untilOnline(load)
  }
}

const never = () => () => undefined

/** Returns false on the server and during hydration. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
