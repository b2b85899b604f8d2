import { isDeepStrictEqual } from 'node:util'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import type { Db } from '#server/house/db/pool.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, type DatabaseCli } from '#server/programs/cli/command.ts'
import { sealingKey } from './sealing-key.ts'
import { changeSetting, readSettingChange } from './setting-change.ts'

export type Settings = Record<string, unknown>
type Row = { id: number; settings: Settings }

/**
 * Describes how the settings of suppliers, gateways or outlets are changed. `lock` returns null for an unknown code.
 * `check` judges the settings, and `store` writes them encrypted.
 */
export type Holder<Held extends Row> = {
  noun: 'supplier' | 'gateway' | 'outlet'
  lock(tx: Db, code: string): Promise<Held | null>
  check(cli: DatabaseCli, tx: Db, held: { code: string; locked: Held; settings: Settings }): Promise<unknown>
  store(tx: Db, sealed: { id: number; settings: Settings; now: Date }): Promise<void>
}

/**
 * Locks and returns the supplier, gateway or outlet (a platform's access) of this code. Throws CommandRefused if the
 * code is unknown.
 */
export async function lockHolder<Held extends Row>(tx: Db, holder: Holder<Held>, code: string): Promise<Held> {
  const locked = await holder.lock(tx, code)
  if (locked === null) throw new CommandRefused(`There is no ${holder.noun} ${code}`)
  return locked
}

/**
 * Defines a command that changes settings. `follows` says in the help text when the change takes effect. `rule` may
 * change or refuse the typed settings.
 */
export function defineSet<Held extends Row>(
  holder: Holder<Held>,
  {
    follows,
    rule = (_before, settings) => settings,
  }: { follows: string; rule?: (before: Settings, settings: Settings) => Settings },
): Command {
  const { noun } = holder
  const name = `${noun}:set`
  return {
    name,
    summary: `change settings of ${noun === 'outlet' ? 'an' : 'a'} ${noun} (VALUE: JSON, text, @FILE; null removes); ${follows}`,
    values: ['CODE'],
    rest: 'KEY=VALUE',
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [code = '', ...typed] = given.values
      const changes = await Promise.all(typed.map(readSettingChange))
      const secretKey = await sealingKey(cli)
      return makeChange(cli, { name, given }, async (tx, now) => {
        const locked = await lockHolder(tx, holder, code)
        const { id } = locked
        const before = unseal(locked.settings, [secretKey, ...cli.previousSecretKeys]).value
        const settings = rule(before, changes.reduce(changeSetting, before))
        await holder.check(cli, tx, { code, locked, settings })
        const names = changes.map((change) => change.name)
        // The audit log gets only the names of settings, because values may be passwords.
        const change = { subject: `${noun}:${code}`, detail: { id, settings: names } }
        if (isDeepStrictEqual(settings, before)) {
          return { ...change, says: `The ${noun} ${code} has these settings already.`, unchanged: true }
        }
        await holder.store(tx, { id, settings: seal(settings, secretKey, cli.random), now })
        return { ...change, says: `Changed ${names.join(', ')} of the ${noun} ${code}.` }
      })
    },
  }
}
