/** The service refuses to start. The message is one sentence that says what staff must change. */
export class StartRefused extends Error {
  override name: string = 'StartRefused'
}

/** The process was asked to end while it waited as a stand-by. */
export class StandByEnded extends Error {
  override name = 'StandByEnded'
}

export class AlreadyRunning extends StartRefused {
  override name = 'AlreadyRunning'
}
