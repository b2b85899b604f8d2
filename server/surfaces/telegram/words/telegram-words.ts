import type { Context } from '#server/house/context.ts'

/** What a button does with a number. */
export type Verb = 'again' | 'done' | 'cancel'

export type Site = Pick<Context, 'config'>

/** In Telegram's HTML, except those of buttons and presses. `email` is masked; null: the account has none. */
export type TelegramWords = {
  /** In plain words the button. */
  connect: { question(email: string | null): string; button(email: string | null): string }
  linked(email: string | null): string
  taken(email: string | null): string
  expired(site: Site): string
  stranger(site: Site): string
  stopped(site: Site): string
  help: string
  noNumbers: string
  waiting: string
  /** In place of a code that the chat does not get. */
  onSite: string
  buttons: Record<Verb, string>
  done: Record<Verb, string>
  notYours: string
}

/** Where a chat is linked. */
export function settingsAddress({ config }: Site): string {
  return new URL('/settings/notifications', config.publicUrl).href
}
