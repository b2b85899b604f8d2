import { z } from 'zod'
import { badCountry, badService } from '#server/buying-errors.ts'
import type { Context } from '#server/context.ts'
import { type Call, defineCall } from '#server/http/call.ts'
import { deleteFavorite, type FavoriteKind, insertFavorite, listFavorites } from './queries.ts'

const input = z.object({
  id: z.union([z.string().min(1).max(40), z.number().int().min(0)]).transform(String),
  type: z.enum(['service', 'country']),
})
const reply = z.object({ status: z.literal(true), favorites: z.number().int() })

export const favoriteCalls: Call[] = [
  defineCall('POST /api/activation/add-to-favorite', {
    auth: 'required',
    input,
    reply,
    async handle(ctx, caller, { id, type }) {
      requireSubject(ctx, { kind: type, id })
      const { userId } = caller.member
      await insertFavorite(ctx.db, { userId, kind: type, subjectId: id, now: ctx.clock.now() })
      return count(ctx, { userId, kind: type })
    },
  }),
  defineCall('DELETE /api/activation/remove-from-favorite/{type}/{id}', {
    auth: 'required',
    input,
    reply,
    async handle(ctx, caller, { id, type }) {
      const { userId } = caller.member
      await deleteFavorite(ctx.db, { userId, kind: type, subjectId: id })
      return count(ctx, { userId, kind: type })
    },
  }),
]

async function count(ctx: Context, input: { userId: number; kind: FavoriteKind }) {
  return { status: true as const, favorites: (await listFavorites(ctx.db, input)).size }
}

function requireSubject(ctx: Context, subject: { kind: FavoriteKind; id: string }): void {
  if (subject.kind === 'service' && !ctx.catalog.services.has(subject.id)) throw badService()
  // " ", "0x0" and "00" are numbers to JavaScript, but no ids of countries.
  const isId = /^(0|[1-9]\d{0,6})$/.test(subject.id)
  if (subject.kind === 'country' && !(isId && ctx.catalog.countries.has(Number(subject.id)))) throw badCountry()
}
