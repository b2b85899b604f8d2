import { MAX_ROUTE_PRELOADS } from '#contract/constants.ts'

export type PreloadQueue = {
  /** `soon` means that a press on the link has begun, so its route loads before those of merely visible links. */
  add(route: string, urgency: 'soon' | 'some-time'): void
}

type PreloadOptions = {
  load(route: string): Promise<void>
  /** Calls back when the page has nothing else to do. */
  whenIdle(then: () => void): void
}

/** Routes of visible links load one after another in idle time, so that their scripts never delay a press. */
export function createPreloadQueue({ load, whenIdle }: PreloadOptions): PreloadQueue {
  const known = new Set<string>()
  const soon: string[] = []
  const someTime: string[] = []
  let running = 0
  let isWaiting = false

  function begin(route: string): void {
    running += 1
    load(route)
      .catch(() => known.delete(route))
      .finally(() => {
        running -= 1
        next()
      })
  }

  function next(): void {
    while (running < MAX_ROUTE_PRELOADS) {
      const route = soon.shift()
      if (route === undefined) break
      begin(route)
    }
    if (running > 0 || isWaiting || someTime.length === 0) return
    isWaiting = true
    whenIdle(() => {
      isWaiting = false
      const route = running === 0 ? someTime.shift() : undefined
      if (route !== undefined) begin(route)
    })
  }

  return {
    add: (route, urgency) => {
      const place = someTime.indexOf(route)
      if (known.has(route) && !(place >= 0 && urgency === 'soon')) return
      known.add(route)
      if (place >= 0) someTime.splice(place, 1)
      if (urgency === 'soon') soon.unshift(route)
      else someTime.push(route)
      next()
    },
  }
}
