import { makeChange } from '#server/programs/cli/change.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { parseNumber } from '#server/programs/cli/numbers/own-range.ts'
import { parseSim, writeSims } from './write-sims.ts'

export const addSim: Command = {
  name: 'sim:add',
  summary: 'put a SIM card into a slot of a device, and its number on sale',
  values: ['SUPPLIER_CODE', 'PHONE', 'COUNTRY', 'OPERATOR'],
  options: { device: { shows: 'DEVICE', required: true }, slot: { shows: 'SLOT' } },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', ...words] = given.values
    const { device = '', slot = '1' } = given.options
    const number = parseNumber(words, 'PHONE COUNTRY OPERATOR')
    const sim = parseSim({ phone: number.phone, device, slot }, '--device, --slot')
    return makeChange(cli, { name: 'sim:add', given }, (tx, now) =>
      writeSims(tx, given, { code, numbers: [number], sims: [sim], now }),
    )
  },
}
