import { createStore } from '#web/house/stores/store.ts'

const KEY = 'dismissed-notices'
/** The oldest ids are dropped, because their notices have long ended. */
const MOST_KEPT = 50

export const dismissedNotices = createStore<readonly string[]>(read())

export function dismissNotice(id: string): void {
  const kept = [...dismissedNotices.get(), id].slice(-MOST_KEPT)
  dismissedNotices.set(kept)
  localStorage.setItem(KEY, JSON.stringify(kept))
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
