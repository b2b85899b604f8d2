import type { User } from '#contract/user.ts'

export type Preferences = User['settings']
export type PreferenceName = keyof Preferences

type PreferenceQueueOptions = {
  read(name: PreferenceName): boolean
  /** Shows a value on the page. */
  show(name: PreferenceName, value: boolean): void
  save(name: PreferenceName, value: boolean): Promise<void>
  fail(error: unknown): void
}

/**
 * Shows a wish at once and saves wishes one after another, so that the last press is what stays. When the last wish for
 * a preference cannot be saved, the page goes back to what the server is known to have.
 */
export function createPreferenceQueue({ read, show, save, fail }: PreferenceQueueOptions) {
  /** What the server has, and how many wishes are on their way to it. */
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
    /** Resolves when this wish and all before it are saved or have failed. Never rejects. */
    wish(name: PreferenceName, value: boolean): Promise<void> {
      const state = waiting.get(name) ?? { saved: read(name), wishes: 0 }
      state.wishes += 1
      waiting.set(name, state)
      show(name, value)
      last = last.then(() => carryOut(name, value))
      return last
    },
    /** True while a wish is on its way: then what the server answers may be older than what is shown. */
    isBusy: () => waiting.size > 0,
  }
}
