import type { Context } from '#server/house/context.ts'
import type { Wire } from '#server/house/http/call.ts'
import { siteOrigin } from '#server/house/http/request-origin.ts'

export type PasskeySite = { origin: string; rpId: string }

/**
 * Returns the site of a passkey: that of `www.ringpost.example` is `ringpost.example` if both are hosts of one zone.
 */
export function passkeySite(ctx: Context, { request }: Wire): PasskeySite {
  const origin = siteOrigin(ctx.config, request)
  const { hostname } = new URL(origin)
  const zone = ctx.config.zones.find(({ hosts }) => hosts.includes(hostname))
  const above = zone?.hosts.filter((host) => hostname.endsWith(`.${host}`)) ?? []
  const rpId = above.toSorted((one, other) => one.length - other.length)[0] ?? hostname
  return { origin, rpId }
}

/** Returns true if passkeys of a host may be used; a host removed from the settings no longer counts. */
export function isHostConfigured({ config }: Context, rpId: string): boolean {
  return config.demo || config.publicUrl.hostname === rpId || config.zones.some(({ hosts }) => hosts.includes(rpId))
}
