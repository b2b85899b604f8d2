import { Zip, ZipDeflate } from 'fflate'
import type { Locale } from '#contract/constants.ts'
import { SECTIONS } from '#server/core/privacy/sections/all-sections.ts'
import type { Section } from '#server/core/privacy/sections/section.ts'
import { type CsvReader, csvHead, csvLine, personReading } from '#server/house/csv/csv.ts'
import type { Db } from '#server/house/db/pool.ts'
import { writeReadme } from './readme.ts'
import { findFilled, readRows } from './row-queries.ts'
import { shownColumns, toCells, toJson } from './values.ts'

export class TooLarge extends Error {
  override name = 'TooLarge'
}

export type Archive = { userId: number; locale: Locale; timeZone: string; at: Date; mostBytes: number }
export type Sink = (bytes: Uint8Array) => Promise<void>

/**
 * Writes a ZIP archive and returns its size in bytes. Each section (a table's rows of the user) becomes JSON and CSV;
 * empty sections are left out. Streams, so that no table or file is whole in memory.
 */
export async function writeArchive(tx: Db, archive: Archive, sink: Sink): Promise<number> {
  const { userId, locale, timeZone, at, mostBytes } = archive
  const made: Uint8Array[] = []
  let bytes = 0
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    failure ??= error
    made.push(chunk)
  })
  const drain = async () => {
    if (failure !== null) throw failure
    for (const chunk of made.splice(0)) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new TooLarge(`the archive is larger than ${mostBytes} bytes`)
      await sink(chunk)
    }
  }
  const add = async (name: string, parts: AsyncIterable<string> | Iterable<string>) => {
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = at
    zip.add(file)
    for await (const part of parts) {
      file.push(Buffer.from(part))
      await drain()
    }
    file.push(new Uint8Array(), true)
    await drain()
  }
  const reader = personReading(locale, timeZone)
  const filled = await findFilled(tx, SECTIONS, userId)
  await add('README.txt', [writeReadme({ locale, timeZone }, filled)])
  for (const section of SECTIONS.filter(({ table }) => filled.has(table))) {
    await add(`json/${section.table}.json`, jsonOf(tx, section, userId))
    await add(`csv/${section.table}.csv`, csvOf(tx, { section, userId, reader }))
  }
  zip.end()
  await drain()
  return bytes
}

async function* jsonOf(tx: Db, section: Section, userId: number): AsyncGenerator<string> {
  let before = '['
  for await (const rows of readRows(tx, section, userId)) {
    const written = rows.map((row) => {
      const line = `${before}\n${toJson(row)}`
      before = ','
      return line
    })
    yield written.join('')
  }
  yield '\n]\n'
}

type Table = { section: Section; userId: number; reader: CsvReader }

async function* csvOf(tx: Db, { section, userId, reader }: Table): AsyncGenerator<string> {
  yield csvHead(shownColumns(section), reader)
  for await (const rows of readRows(tx, section, userId)) {
    yield rows.map((row) => csvLine(toCells(section, row), reader)).join('')
  }
}
