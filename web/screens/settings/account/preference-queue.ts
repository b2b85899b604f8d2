import type { User } from '#contract/user.ts'

export type Preferences = User['settings']
export type PreferenceName = keyof Preferences

type PreferenceQueueOptions = {
  read(name: PreferenceName): boolean
  show(name: PreferenceName, value: boolean): void
  save(name: PreferenceName, value: boolean): Promise<void>
  fail(error: unknown): void
}

/** Shows each change at once and saves them in order. When the last save fails, the saved value returns. */
export function createPreferenceQueue({ read, show, save, fail }: PreferenceQueueOptions) {
  /** The server's value and the number of pending saves. */
  const waiting = new Map<PreferenceName, { saved: boolean; wishes: number }>()
  let last: Promise<void> = Promise.resolve()

  async function carryOut(name: PreferenceName, value: boolean): Promise<void> {
    const state = waiting.get(name)
    if (state === undefined) return
    try {
      await save(name, value)
      state.saved = value
    } catch (error) {
      if (state.wishes === 1) show(name, state.saved)
      fail(error)
    }
    state.wishes -= 1
    if (state.wishes === 0) waiting.delete(name)
  }

  return {
    /** Resolves when this and all earlier changes are saved or have failed. Never rejects. */
    wish(name: PreferenceName, value: boolean): Promise<void> {
      const state = waiting.get(name) ?? { saved: read(name), wishes: 0 }
      state.wishes += 1
      waiting.set(name, state)
      show(name, value)
      last = last.then(() => carryOut(name, value))
      return last
    },
    /** While true, a reply of the server may be older than the page. */
    isBusy: () => waiting.size > 0,
  }
}
