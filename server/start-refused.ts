/** The service cannot start as it is set up. The message is one sentence that says what to change. */
export class StartRefused extends Error {
  override name: string = 'StartRefused'
}

/** Another process serves this database, and with it the PostgreSQL that both may have found or started. */
export class AlreadyRunning extends StartRefused {
  override name = 'AlreadyRunning'
}
