import type { User } from '#contract/user.ts'
import { logFailure } from '#web/house/log-failure.ts'

/** Plays a sound. A browser's refusal before the first press on the page is only logged (specification 8). */
export function playChime({ sound, volume }: Pick<User['settings'], 'sound' | 'volume'>): void {
  const audio = new Audio(`/sounds/${sound}.wav`)
  audio.volume = volume / 100
  audio.play().catch((error: unknown) => logFailure('the sound of a new code was blocked', error))
}
