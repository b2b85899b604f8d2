/** The service refuses to start. The message is one sentence that says what staff must change. */
export class StartRefused extends Error {
  override name: string = 'StartRefused'
}

export class AlreadyRunning extends StartRefused {
  override name = 'AlreadyRunning'
}
