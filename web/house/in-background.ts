/** Runs work that no caller awaits. Failures are reported as uncaught, so the work must handle expected ones. */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((error: unknown) => reportError(error))
}
