import { FULL_NUMBER } from '#contract/rental.ts'
import type { Context } from '#server/context.ts'
import type { ServiceRow } from '#server/features/catalog/queries.ts'
import { extractCode } from '#server/features/messages/extract-code.ts'
import { findRented, type RentedNumber } from './queries/sms.ts'

/** Who has rented the number, if a message from this sender is his. */
export async function findRenter(
  ctx: Context,
  sms: { supplierId: number; phone: string; sender: string },
): Promise<RentedNumber | null> {
  const rented = await findRented(ctx.db, sms)
  return rented === null || isForeign(ctx, rented.service_code, sms.sender) ? null : rented
}

/**
 * A number rented for one service gets every message, because senders are often numbers or names nobody knows, but those
 * that are signed with the very name of another service.
 */
function isForeign(ctx: Context, serviceCode: string, sender: string): boolean {
  if (serviceCode === FULL_NUMBER) return false
  const named = servicesNamed(ctx, sender)
  return named.length > 0 && !named.includes(serviceCode)
}

/** The code in a message, as the service it was rented for writes it; on a whole number, the one that signed it. */
export function readRentalCode(
  ctx: Context,
  serviceCode: string,
  sms: { sender: string; text: string },
): string | null {
  const writer = serviceCode === FULL_NUMBER ? servicesNamed(ctx, sms.sender)[0] : serviceCode
  return extractCode(writer ?? '', sms.text)
}

/** Services by their names in lower case, of a catalogue that is loaded whole each time it changes. */
const byName = new WeakMap<ReadonlyMap<string, ServiceRow>, Map<string, string[]>>()

function servicesNamed(ctx: Context, sender: string): string[] {
  const { services } = ctx.catalog
  const known = byName.get(services) ?? indexNames(services)
  byName.set(services, known)
  return known.get(sender.trim().toLowerCase()) ?? []
}

function indexNames(services: ReadonlyMap<string, ServiceRow>): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { code, name_en, name_ru } of services.values()) {
    for (const name of new Set([name_en.toLowerCase(), name_ru.toLowerCase()])) {
      if (name !== '') names.set(name, [...(names.get(name) ?? []), code])
    }
  }
  return names
}
