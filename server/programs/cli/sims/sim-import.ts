import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { parseNumber } from '#server/programs/cli/numbers/own-range.ts'
import { readLines, splitLine } from '#server/programs/cli/numbers/read-lines.ts'
import { parseSim, writeSims } from './write-sims.ts'

const MOST = 100_000

export const importSims: Command = {
  name: 'sim:import',
  summary: 'put SIM cards in; FILE has lines of phone,country,operator,device,slot; all of them or none',
  values: ['SUPPLIER_CODE', 'FILE'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', file = ''] = given.values
    const lines = await readLines(file)
    if (lines.length > MOST) throw new CommandRefused(`${file} has more than ${MOST} lines`)
    const cards = lines.map(({ place, text }) => parseCard(text, `${file}:${place}`))
    const [numbers, sims] = [cards.map(({ number }) => number), cards.map(({ sim }) => sim)]
    if (new Set(numbers.map(({ phone }) => phone)).size < numbers.length) {
      throw new CommandRefused(`${file} names a phone twice`)
    }
    return makeChange(cli, { name: 'sim:import', given }, (tx, now) =>
      writeSims(tx, given, { code, numbers, sims, now }),
    )
  },
}

function parseCard(text: string, place: string) {
  const [phone, country, operator, device, slot, ...rest] = splitLine(text)
  if (
    phone === undefined ||
    country === undefined ||
    operator === undefined ||
    device === undefined ||
    rest.length > 0
  ) {
    throw new CommandRefused(
      `${place}: a line is phone,country,operator,device,slot, such as 77051234567,2,altel,pixel-1,1`,
    )
  }
  const number = parseNumber([phone, country, operator], place)
  return { number, sim: parseSim({ phone: number.phone, device, slot: slot ?? '1' }, place) }
}
