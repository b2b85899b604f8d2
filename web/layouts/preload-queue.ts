import { MAX_ROUTE_PRELOADS } from '#contract/constants.ts'

export type PreloadQueue = {
  /** `soon` means that a press on the link has begun, so its route loads before those of merely visible links. */
  add(route: string, urgency: 'soon' | 'some-time'): void
}

export function createPreloadQueue(load: (route: string) => Promise<void>): PreloadQueue {
  const known = new Set<string>()
  let waiting: string[] = []
  let running = 0

  function next(): void {
    while (running < MAX_ROUTE_PRELOADS) {
      const route = waiting.shift()
      if (route === undefined) return
      running += 1
      load(route)
        .catch(() => known.delete(route))
        .finally(() => {
          running -= 1
          next()
        })
    }
  }

  return {
    add: (route, urgency) => {
      const waits = waiting.includes(route)
      if (known.has(route) && !(waits && urgency === 'soon')) return
      known.add(route)
      const others = waiting.filter((one) => one !== route)
      waiting = urgency === 'soon' ? [route, ...others] : [...others, route]
      next()
    },
  }
}
