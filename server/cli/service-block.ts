import { raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { makeChange } from './change.ts'
import { type Command, CommandRefused } from './command.ts'
import { setServiceBlocked } from './queries/limits.ts'

export const blockService: Command = switchService({
  name: 'service:block',
  summary: 'sell a service no more, in any way: numbers already sold go on receiving',
  blocked: true,
})

export const unblockService: Command = switchService({
  name: 'service:unblock',
  summary: 'sell a blocked service again',
  blocked: false,
})

function switchService({ name, summary, blocked }: { name: string; summary: string; blocked: boolean }): Command {
  const state = blocked ? 'blocked' : 'not blocked'
  return {
    name,
    summary,
    values: ['CODE'],
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [code = ''] = given.values
      return makeChange(cli, { name, given }, async (tx, now) => {
        const service = await setServiceBlocked(tx, { code, blockedAt: blocked ? now : null })
        if (service === null) throw new CommandRefused(`There is no service ${code}`)
        const subject = `service:${code}`
        if (!service.changed) {
          return { subject, detail: {}, says: `${service.name} is ${state} already.`, unchanged: true }
        }
        // This is what a running server looks at each second; a purchase meanwhile is refused by its own statement.
        await raiseCatalogVersion(tx, now)
        return { subject, detail: { name: service.name }, says: `${service.name} is ${state} now.` }
      })
    },
  }
}
