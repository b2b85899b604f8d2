import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import type { NewNumber } from '#server/adapters/shared/own-numbers/queries/numbers.ts'
import { type NewSim, upsertSims } from '#server/adapters/shared/own-numbers/sims/queries.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Change } from '#server/programs/cli/change.ts'
import { type Arguments, CommandRefused } from '#server/programs/cli/command.ts'
import { refuseBadNumbers, refuseForeign, requireRange } from '#server/programs/cli/numbers/own-range.ts'

const NAME = /^[\x21-\x7e]{1,64}$/
const SLOT_LENGTH = 16

/**
 * Checks a line that describes a SIM card, and returns the SIM card. Throws CommandRefused, whose message names the
 * line (`place`).
 */
export function parseSim(words: { phone: string; device: string; slot: string }, place: string): NewSim {
  const { device, slot } = words
  if (!NAME.test(device)) throw new CommandRefused(`${place}: "${device}" is not the name of a device, without spaces`)
  if (!NAME.test(slot) || slot.length > SLOT_LENGTH) throw new CommandRefused(`${place}: "${slot}" is not a slot`)
  return { ...words, phone: words.phone.replace(/^\+/, '') }
}

/** Puts all of the numbers on sale together with their SIM cards, or none. */
export async function writeSims(
  tx: Db,
  given: Arguments,
  input: { code: string; numbers: readonly NewNumber[]; sims: readonly NewSim[]; now: Date },
): Promise<Change> {
  const { code, numbers, sims, now } = input
  const supplierId = await requireRange(tx, code)
  await refuseForeign(tx, given, numbers)
  const { taken, written: changed } = await addNumbers(tx, supplierId, numbers).catch(refuseBadNumbers)
  if (taken.length > 0) throw new CommandRefused(`${taken[0]} is a number of another supplier`)
  const written = await upsertSims(tx, { supplierId, sims, now }).catch(refuseTakenSlot)
  await raiseCatalogVersion(tx, now)
  const says = `${code}: ${written.length} SIM cards put in, ${sims.length - written.length} were there already.`
  const detail = { written: written.length, given: sims.length }
  return { subject: `supplier:${code}`, detail, says, unchanged: written.length + changed === 0 }
}

function refuseTakenSlot(error: unknown): never {
  if (!isUniqueViolation(error, 'sims_slot_once')) throw error
  throw new CommandRefused(
    'Another card is in one of these slots, or two are given for one: sim:retire takes a card out',
  )
}
