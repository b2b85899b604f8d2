import type { Inbox } from './inbox.ts'
import type { LinkWatch } from './link-watch.ts'
import type { SessionLimits } from './session.ts'
import type { SmppSettings } from './settings.ts'

export type Link = { stop(): Promise<void> }

export type LinkOptions<Settings> = {
  inbox: Inbox
  watch: LinkWatch
  code: string
  settings: Settings
}

export function sessionLimits(settings: SmppSettings): SessionLimits {
  return {
    maxPduBytes: settings.maxPduBytes,
    maxInFlight: settings.maxInFlight,
    responseMs: settings.responseSeconds * 1_000,
    enquireLinkMs: settings.enquireLinkSeconds * 1_000,
  }
}
