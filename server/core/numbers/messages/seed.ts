import type { Db } from '#server/house/db/pool.ts'
import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, toPlain } from './codes/plain-text.ts'
import { replaceSeedIgnored, replaceSeedSigns, type SeedSign } from './queries.ts'
import type { Sign, SignKind } from './sign.ts'

/** Stores the signs (brand words and senders) of the seed file. The services of the signs must exist. */
export async function seedSenders(db: Db): Promise<void> {
  await replaceSeedSigns(db, readSeedSigns())
  await replaceSeedIgnored(db, readSeedIgnored())
}

/**
 * Reads the signs of the seed file. `?` marks a weak hint, `=` a word that is also ordinary. `known` means that the
 * sign is a certain sender or was seen in a real message.
 */
export function readSeedSigns(): SeedSign[] {
  const rows = readSeedTable(fileOf('signs.tsv'), ['code', 'evidence', 'senders', 'words', 'domains', 'proofs'])
  return rows.flatMap(({ code, evidence, senders, words, domains, proofs }) => {
    const signs = [
      ...split(senders).map((value) => toSign(code, 'sender', value)),
      ...split(words).map((value) => toSign(code, 'word', value)),
      ...split(domains).map((value) => toSign(code, 'domain', value)),
      ...split(proofs).map((value) => toSign(code, value.endsWith('-') ? 'prefix' : 'hash', value)),
    ]
    const seen = evidence === 'log' || evidence === 'text'
    const known = seen || signs.some((sign) => sign.kind === 'sender' && sign.strength === 'proven')
    return signs.map((sign) => ({ ...sign, known }))
  })
}

export function readSeedIgnored(): string[] {
  const rows = readSeedTable(fileOf('operator-senders.tsv'), ['operator', 'senders'])
  return [...new Set(rows.flatMap(({ senders }) => split(senders)).map((sender) => fold(toPlain(sender))))]
}

function toSign(serviceCode: string, kind: SignKind, written: string): Omit<Sign, 'known' | 'source'> {
  if (written.endsWith('?')) return { serviceCode, kind, value: written.slice(0, -1), strength: 'weak' }
  if (kind === 'word' && written.startsWith('=')) {
    return { serviceCode, kind, value: written.slice(1), strength: 'common' }
  }
  return { serviceCode, kind, value: written, strength: 'proven' }
}

function split(values: string): string[] {
  return values.split('|').filter((value) => value !== '')
}

function fileOf(name: string): string {
  return new URL(`seed/${name}`, import.meta.url).href
}
