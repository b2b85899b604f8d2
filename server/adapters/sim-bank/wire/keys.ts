import { isSame } from '#server/adapters/shared/incoming/signatures.ts'

/** The new and the previous key, encrypted together with the settings. `until` is an ISO time. */
export type Keys = { key: string; previousKey?: { key: string; until: string } | undefined }

/** Returns the valid keys, newest first. The previous key is valid until its time is over. */
export function keysOf({ key, previousKey }: Keys, now: Date): string[] {
  return previousKey !== undefined && holds(previousKey, now) ? [key, previousKey.key] : [key]
}

/** Compares a key with all valid keys, so that the duration does not tell which matched. */
export function isKeyOf(keys: Keys, shown: unknown, now: Date): boolean {
  const text = typeof shown === 'string' ? shown : ''
  return keysOf(keys, now)
    .map((key) => isSame(text, key))
    .some(Boolean)
}

export function holds({ until }: { until: string }, now: Date): boolean {
  return new Date(until) > now
}
