/**
 * Runs work that no caller awaits. A failure is reported as uncaught, so the work itself must handle expected failures.
 */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((error: unknown) => reportError(error))
}
