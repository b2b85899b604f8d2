/** Logs a harmless failure that specification 8 wants only logged, such as a blocked sound or clipboard. */
export function logFailure(what: string, error: unknown): void {
  console.warn(what, error)
}
