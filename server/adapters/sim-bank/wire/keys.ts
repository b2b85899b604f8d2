import { isSame } from '#server/adapters/shared/incoming/signatures.ts'

/** `until` is ISO. Both are sealed with the settings. */
export type Keys = { key: string; previousKey?: { key: string; until: string } | undefined }

/** The newest first; the one before while it holds. */
export function keysOf({ key, previousKey }: Keys, now: Date): string[] {
  return previousKey !== undefined && holds(previousKey, now) ? [key, previousKey.key] : [key]
}

/** Each is compared, so that time does not tell which. */
export function isKeyOf(keys: Keys, shown: unknown, now: Date): boolean {
  const text = typeof shown === 'string' ? shown : ''
  return keysOf(keys, now)
    .map((key) => isSame(text, key))
    .some(Boolean)
}

export function holds({ until }: { until: string }, now: Date): boolean {
  return new Date(until) > now
}
