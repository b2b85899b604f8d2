import { readFamilies } from '#server/core/numbers/messages/families.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { NONE } from '#server/programs/cli/listing.ts'
import { nameScope } from '#server/programs/cli/queries/prices.ts'
import { listIgnored, listSignsOf } from '#server/programs/cli/queries/senders.ts'

export const listSenders: Command = {
  name: 'sender:list',
  summary:
    "what a service's messages are known by; without --service what staff set, what was learnt, and who is ignored",
  options: { service: { shows: 'CODE' } },
  database: 'migrated',
  async run({ pool, tell, remark }, { options }) {
    const serviceCode = options.service ?? null
    if (serviceCode !== null) {
      const { service } = await nameScope(pool, { serviceCode, countryId: null })
      if (service === null) throw new CommandRefused(`There is no service ${serviceCode}`)
      const family = readFamilies().of(serviceCode)
      tell({ service: serviceCode, name: service, family }, `${service}: family ${family}`)
    }
    const signs = await listSignsOf(pool, serviceCode)
    for (const { service_code: code, kind, value, strength, source, removed } of signs) {
      tell(
        { service: code, kind, value, strength, source, removed },
        `${code} ${kind} ${value} (${strength}, ${removed ? 'removed' : source})`,
      )
    }
    if (serviceCode !== null) {
      if (signs.length === 0) remark('Nothing but its name, as a hint.')
      return 0
    }
    const ignored = await listIgnored(pool)
    if (signs.length + ignored.length === 0) remark(NONE)
    for (const { sender, source, removed } of ignored) {
      tell({ sender, source, ignored: !removed }, `${removed ? 'heeded' : 'ignored'} ${sender} (${source})`)
    }
    return 0
  },
}
