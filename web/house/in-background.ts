/** Runs work that no caller awaits. Failures count as uncaught, so the work handles what users should see. */
export function inBackground(work: unknown): void {
  Promise.resolve(work).catch((error: unknown) => reportError(error))
}
