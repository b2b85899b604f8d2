import { isSame } from '#server/adapters/shared/incoming/signatures.ts'

/** `until` is an ISO time. Both keys are sealed with the settings. */
export type Keys = { key: string; previousKey?: { key: string; until: string } | undefined }

/** Returns the valid keys, newest first: the previous one counts until its time is over. */
export function keysOf({ key, previousKey }: Keys, now: Date): string[] {
  return previousKey !== undefined && holds(previousKey, now) ? [key, previousKey.key] : [key]
}

/** All keys are compared, so that the time does not tell which matched. */
export function isKeyOf(keys: Keys, shown: unknown, now: Date): boolean {
  const text = typeof shown === 'string' ? shown : ''
  return keysOf(keys, now)
    .map((key) => isSame(text, key))
    .some(Boolean)
}

export function holds({ until }: { until: string }, now: Date): boolean {
  return new Date(until) > now
}
