import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, WrongUsage } from '#server/programs/cli/command.ts'
import { describeScope } from '#server/programs/cli/prices/price-scope.ts'
import { liftUsedReports } from '#server/programs/cli/queries/used-reports.ts'
import { requireUser } from '#server/programs/cli/users/find-account.ts'
import { readLines, splitLine } from './read-lines.ts'

export const restoreNumbers: Command = {
  name: 'numbers:restore',
  summary: 'put numbers back on sale that buyers reported as used: of a service, of one buyer, of a file of phones',
  options: { service: { shows: 'tg' }, user: { shows: 'EMAIL' }, file: { shows: 'FILE' } },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const { service = null, user, file } = given.options
    if (service === null && user === undefined && file === undefined) {
      throw new WrongUsage('Give --service, --user, --file or several of them')
    }
    const phones = file === undefined ? null : (await readLines(file)).map(({ text }) => readPhone(text))
    return makeChange(cli, { name: 'numbers:restore', given }, async (tx, now) => {
      const userId = user === undefined ? null : (await requireUser(tx, user)).id
      if (service !== null) await describeScope(tx, { serviceCode: service, countryId: null })
      const { lifted, restored } = await liftUsedReports(tx, { serviceCode: service, userId, phones, now })
      if (restored > 0) await raiseCatalogVersion(tx, now)
      const burnt = lifted > restored ? ` ${lifted - restored} had a code and stay off sale.` : ''
      return {
        subject: userId === null ? `service:${service ?? '*'}` : `user:${userId}`,
        detail: { service, user: user ?? null, phones: phones?.length ?? null, lifted, restored },
        says: `${restored} numbers are back on sale.${burnt}`,
        unchanged: lifted === 0,
      }
    })
  },
}

function readPhone(line: string): string {
  return (splitLine(line)[0] ?? '').replace(/^\+/, '')
}
