import pg from 'pg'
import { numbered } from '#server/house/db/named-values.ts'
import { layOut } from './lay-out.ts'
import type { Statement } from './statement-files.ts'

/** An SQL statement as it was sent. `names` are the names that the source gives to its values. */
export type SentStatement = { name: string; text: string; names: readonly string[] }

/** Matches statements of graphile-worker, and those by which random tests inspect the database. */
const OF_OTHERS = /\/graphile_worker$|^walk-/

const last = new Map<string, string>()
const fresh = new Map<string, SentStatement>()

/** Returns the named SQL statements sent since the last call. Each text is returned once per process. */
export function takeSent(): SentStatement[] {
  const taken = [...fresh.values()]
  fresh.clear()
  return taken
}

export function notAsShown(sent: readonly SentStatement[], shown: readonly Statement[]): string[] {
  const texts = new Map(shown.map(({ name, text }) => [name, text]))
  return sent.filter(({ name, text }) => texts.get(name) !== layOut(text)).map(({ name }) => name)
}

function watch(): void {
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply(query, client, args: unknown[]) {
      const [config] = args
      if (isNamed(config) && last.get(config.name) !== config.text) note(config)
      return Reflect.apply(query, client, args)
    },
  })
}

function isNamed(config: unknown): config is { name: string; text: string } {
  if (typeof config !== 'object' || config === null || !('name' in config) || !('text' in config)) return false
  return typeof config.name === 'string' && typeof config.text === 'string' && !OF_OTHERS.test(config.name)
}

function note({ name, text }: { name: string; text: string }): void {
  last.set(name, text)
  const known = numbered.get(name)
  fresh.set(name, { name, text, names: known?.text === text ? known.names : [] })
}

watch()
