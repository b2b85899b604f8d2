import { MAX_OVERLAP_HOURS } from '#contract/api-key.ts'
import { HOUR } from '#contract/time.ts'
import { holds } from '#server/adapters/sim-bank/wire/keys.ts'
import { seal, unseal } from '#server/house/config/secret-key.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused, type DatabaseCli, WrongUsage } from '#server/programs/cli/command.ts'
import { type Holder, lockHolder, type Settings } from './define-set.ts'
import { sealingKey } from './sealing-key.ts'
import { readTyped } from './typed-settings.ts'

const KEY_BYTES = 24

const ROTATE_OPTIONS = {
  hours: { shows: 'HOURS', required: true },
  key: { shows: 'KEY | @FILE' },
} as const

/** Defines a command that replaces a SIM-bank protocol key. The old key stays valid some hours. */
export function defineRotation<Held extends { id: number; settings: Settings }>({
  summary,
  ...holder
}: Holder<Held> & { summary: string }): Command {
  const { noun } = holder
  const name = `${noun}:rotate`
  return {
    name,
    summary,
    values: ['CODE'],
    options: ROTATE_OPTIONS,
    changes: true,
    database: 'migrated',
    async run(cli, given) {
      const [code = ''] = given.values
      const rotation = await readRotation(cli, given.options)
      const secretKey = await sealingKey(cli)
      return makeChange(cli, { name, given }, async (tx, now) => {
        const locked = await lockHolder(tx, holder, code)
        const { id } = locked
        const before = unseal(locked.settings, [secretKey, ...cli.previousSecretKeys]).value
        const { settings, until } = rotate(before, rotation, now)
        await holder.check(cli, tx, { code, locked, settings })
        await holder.store(tx, { id, settings: seal(settings, secretKey, cli.random), now })
        return {
          subject: `${noun}:${code}`,
          detail: { id, until },
          says: `The ${noun} ${code} has another key; the one before holds until ${until}.`,
          ...(rotation.isMade && { secret: { name: 'key', value: rotation.key } }),
        }
      })
    },
  }
}

type Rotation = { key: string; isMade: boolean; hours: number }

/** Reads a typed key, or generates one, which is printed once. */
async function readRotation(
  { random }: Pick<DatabaseCli, 'random'>,
  { hours: typed = '', key }: { hours?: string; key?: string },
): Promise<Rotation> {
  const hours = /^\d{1,3}$/.test(typed) ? Number(typed) : Number.NaN
  if (!(hours >= 1 && hours <= MAX_OVERLAP_HOURS)) throw new WrongUsage(`--hours is 1 to ${MAX_OVERLAP_HOURS}`)
  if (key === undefined) return { key: random.bytes(KEY_BYTES).toString('base64url'), isMade: true, hours }
  return { key: (await readTyped(key)).replace(/\r?\n$/, ''), isMade: false, hours }
}

/**
 * Replaces the key, and keeps the replaced key valid for `hours`. Throws CommandRefused while an even older key is
 * valid, because that key may be in use.
 */
function rotate(settings: Settings, { key, hours }: Rotation, now: Date): { settings: Settings; until: string } {
  const { key: before, previousKey } = settings
  if (typeof before !== 'string') throw new CommandRefused('It has no key')
  if (key === before) throw new CommandRefused('It has this key already')
  if (isPrevious(previousKey) && holds(previousKey, now)) {
    throw new CommandRefused(
      `The key before this one holds until ${previousKey.until}: wait, or end it with \`previousKey=null\``,
    )
  }
  const until = new Date(now.getTime() + hours * HOUR).toISOString()
  return { settings: { ...settings, key, previousKey: { key: before, until } }, until }
}

/**
 * Removes the previous key if the current key is replaced without a rotation, because the replaced key may have been
 * stolen. Throws CommandRefused if `settings` name another previous key, which only a rotation may do.
 */
export function endOverlap(before: Settings, settings: Settings): Settings {
  const { previousKey, ...rest } = settings
  if (previousKey !== undefined && previousKey !== before.previousKey) {
    throw new CommandRefused(
      'A previousKey can only be ended (previousKey=null): another overlap is begun by rotating the key',
    )
  }
  return settings.key === before.key ? settings : rest
}

function isPrevious(value: unknown): value is { until: string } {
  return typeof value === 'object' && value !== null && 'until' in value && typeof value.until === 'string'
}
