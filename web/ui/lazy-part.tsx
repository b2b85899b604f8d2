import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'

/** Makes a component that loads after hydration, or once online again. Until then `place` keeps its space. */
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

/** Loads a script. Without a network it waits for one. */
export async function untilOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (navigator.onLine) throw error
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    return untilOnline(load)
  }
}

const never = () => () => undefined

/** Returns true in the browser after hydration; false on the server and during hydration. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
