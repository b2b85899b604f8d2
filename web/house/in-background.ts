/**
 * Runs work that no caller awaits. A failure counts as uncaught, so the work itself handles errors that the user should
 * see.
 */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((error: unknown) => reportError(error))
}
