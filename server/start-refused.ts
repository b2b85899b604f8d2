/** The service cannot start as it is set up. The message is one sentence that says what to change. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}
