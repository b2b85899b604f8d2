import { logFailure } from '#web/log-failure.ts'

const CHIME_URL = '/sounds/new-code.wav'

/** Browsers block sound until the first press on the page. That is only logged (specification 8). */
export function playChime(): void {
  new Audio(CHIME_URL).play().catch((error: unknown) => logFailure('the sound of a new code was blocked', error))
}
