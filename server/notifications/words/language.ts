import type { Details } from '#server/notifications/kinds.ts'

export type Words = { title: string; text: string }

/** Names as the reader's language has them. */
export type Names = { service(code: string): string; country(id: number): string; dial(countryId: number): string }

export type NotificationWords = { [Kind in keyof Details]: (details: Details[Kind], names: Names) => Words }
