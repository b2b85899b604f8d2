import { loseAbove } from '#server/adapters/shared/chain/queries/deposits.ts'
import { rewindWatch } from '#server/adapters/shared/chain/queries/watches.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, WrongUsage } from '#server/programs/cli/command.ts'
import { findGatewayRow } from '#server/programs/cli/queries/chains.ts'

export const rewindChain: Command = {
  name: 'chain:rewind',
  summary: 'read a chain again from block HEIGHT on, after a reorganisation deeper than is kept',
  values: ['GATEWAY', 'HEIGHT'],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const [code = '', text = ''] = given.values
    if (!/^\d{1,15}$/.test(text)) throw new WrongUsage('HEIGHT is the number of a block')
    const height = BigInt(text)
    return makeChange(cli, { name: 'chain:rewind', given }, async (tx, now) => {
      const row = await findGatewayRow(tx, code)
      if (row === null) throw new CommandRefused(`There is no gateway ${code}`)
      const gatewayId = row.id
      if (!(await rewindWatch(tx, { gatewayId, height }))) {
        throw new CommandRefused(`${code} has not read as far as block ${height}`)
      }
      const lost = await loseAbove(tx, { gatewayId, height, now })
      if (lost > 0)
        refuseDoubtful(given, `${lost} deposits above block ${height} are disputed until they are found again`)
      const says = `${code} is read again from block ${height} on; ${lost} deposits have to be found again.`
      return { subject: `gateway:${code}`, detail: { height: text, lost }, says }
    })
  },
}
