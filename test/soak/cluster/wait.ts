import { setTimeout as sleep } from 'node:timers/promises'

export { sleep }

/** Waits for a truthy answer and returns it. Errors count as no answer. Throws `complaint` after the limit. */
export async function until<Answer>(
  ask: () => Answer | Promise<Answer>,
  limitMs: number,
  complaint: string,
): Promise<Exclude<Answer, null | undefined | false>> {
  const endMs = performance.now() + limitMs
  let last: unknown
  while (performance.now() < endMs) {
    try {
      const answer = await ask()
      // The cast names what the check above leaves.
      if (answer) return answer as Exclude<Answer, null | undefined | false>
    } catch (error) {
      last = error
    }
    await sleep(100)
  }
  throw new Error(`${complaint}${last === undefined ? '' : `: ${String(last)}`}`)
}
