/**
 * For what may fail without harm to anyone, such as a sound the browser blocks or a clipboard that cannot be written:
 * product.md section 8 wants these only logged. The one place of the pages that writes to the console.
 */
export function logFailure(what: string, error: unknown): void {
  console.warn(what, error)
}
