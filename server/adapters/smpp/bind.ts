import type { ClientSettings } from './settings.ts'
import type { Endpoint } from './wire/connect-socket.ts'
import { STATUS_NAMES } from './wire/pdu.ts'

const INTERFACE_VERSION = 0x34

export function bindFields(settings: ClientSettings) {
  return {
    system_id: settings.systemId,
    password: settings.password,
    system_type: settings.systemType,
    interface_version: INTERFACE_VERSION,
    address_range: settings.addressRange,
  }
}

export function placeOf({ host, port }: Endpoint): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

export function whyRefused(status: number): string {
  return `refuses the bind: ${nameOfStatus(status)}`
}

/** Names an SMPP status as carriers' manuals do, for example `ESME_RINVPASWD (0x0E)`. */
export function nameOfStatus(status: number): string {
  const octets = `0x${status.toString(16).toUpperCase().padStart(2, '0')}`
  const name = STATUS_NAMES.get(status)
  return name === undefined ? octets : `${name} (${octets})`
}
