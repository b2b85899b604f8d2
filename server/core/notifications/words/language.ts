import type { Details } from '#server/core/notifications/kinds.ts'

export type Words = { title: string; text: string }

export type Names = { service(code: string): string; country(id: number): string; dial(countryId: number): string }

export type NotificationWords = { [Kind in keyof Details]: (details: Details[Kind], names: Names) => Words }

const MOST_NAMED = 5

export function someOf(names: readonly string[], more: string): string {
  return names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')} ${more}` : names.join(', ')
}
