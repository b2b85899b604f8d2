/**
 * Begun by a press or an event, and awaited by nobody. A failure is reported as one that is thrown there would be, so
 * whatever can fail in the visitor's eyes handles that itself.
 */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((error: unknown) => reportError(error))
}
