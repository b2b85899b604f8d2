type Value<Values> = Values[keyof Values]

type PreferenceQueueOptions<Values> = {
  read(name: keyof Values): Value<Values>
  show(name: keyof Values, value: Value<Values>): void
  save(name: keyof Values, value: Value<Values>): Promise<void>
  fail(error: unknown): void
}

/** Shows each change at once and saves changes in order. If the last save fails, shows the saved value again. */
export function createPreferenceQueue<Values>({ read, show, save, fail }: PreferenceQueueOptions<Values>) {
  /** For each preference, the server's value and the number of pending saves. */
  const waiting = new Map<keyof Values, { saved: Value<Values>; wishes: number }>()
  let last: Promise<void> = Promise.resolve()

  async function carryOut(name: keyof Values, value: Value<Values>): Promise<void> {
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
    /** Resolves when this change and all earlier changes are saved or have failed. Never rejects. */
    wish(name: keyof Values, value: Value<Values>): Promise<void> {
      const state = waiting.get(name) ?? { saved: read(name), wishes: 0 }
      state.wishes += 1
      waiting.set(name, state)
      show(name, value)
      last = last.then(() => carryOut(name, value))
      return last
    },
    /** If true, a reply of the server may be older than the values on the page. */
    isBusy: () => waiting.size > 0,
  }
}
