import type { Context } from '#server/house/context.ts'

export type Verb = 'again' | 'done' | 'cancel'

export type Site = Pick<Context, 'config'>

/**
 * The texts of the bot in Telegram's HTML, except those of buttons and of answers to presses. `email` is masked, and
 * null if the account has none.
 */
export type TelegramWords = {
  connect: { question(email: string | null): string; button(email: string | null): string }
  linked(email: string | null): string
  taken(email: string | null): string
  expired(site: Site): string
  stranger(site: Site): string
  stopped(site: Site): string
  help: string
  noNumbers: string
  waiting: string
  onSite: string
  buttons: Record<Verb, string>
  done: Record<Verb, string>
  notYours: string
}

export function settingsAddress({ config }: Site): string {
  return new URL('/settings/notifications', config.publicUrl).href
}
