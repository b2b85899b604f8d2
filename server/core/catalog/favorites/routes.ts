import { z } from 'zod'
import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { badCountry, badService, tooManyFavorites } from '#server/house/errors/buying-errors.ts'
import { type Call, defineCall } from '#server/house/http/call.ts'
import {
  deleteFavorite,
  type FavoriteKind,
  type FavoriteList,
  type FavoriteMode,
  insertFavorite,
  listFavorites,
} from './queries.ts'

/** The limit of a user's favourites in all lists together, because the watch of prices reads them all. */
const MOST_FAVORITES = 200

const input = z.object({
  id: z.union([z.string().min(1).max(40), z.number().int().min(0)]).transform(String),
  type: z.enum(['service', 'country']),
})
const reply = z.object({ status: z.literal(true), favorites: z.number().int() })

export const favoriteCalls: Call[] = [...callsOf('activation'), ...callsOf('rent')]

function callsOf(mode: FavoriteMode): Call[] {
  return [
    defineCall(`POST /api/${mode}/add-to-favorite`, {
      auth: 'required',
      scope: 'session',
      input,
      reply,
      async handle(ctx, caller, { id, type }) {
        requireSubject(ctx, { mode, kind: type, id })
        const { userId } = caller.member
        const favorite = { userId, mode, kind: type, subjectId: id, limit: MOST_FAVORITES, now: ctx.clock.now() }
        if (!(await transaction(ctx.db, (tx) => insertFavorite(tx, favorite)))) throw tooManyFavorites(MOST_FAVORITES)
        return count(ctx, { userId, mode, kind: type })
      },
    }),
    defineCall(`DELETE /api/${mode}/remove-from-favorite/{type}/{id}`, {
      auth: 'required',
      scope: 'session',
      input,
      reply,
      async handle(ctx, caller, { id, type }) {
        const { userId } = caller.member
        await deleteFavorite(ctx.db, { userId, mode, kind: type, subjectId: id })
        return count(ctx, { userId, mode, kind: type })
      },
    }),
  ]
}

async function count(ctx: Context, list: FavoriteList) {
  return { status: true as const, favorites: (await listFavorites(ctx.db, list)).size }
}

function requireSubject(ctx: Context, subject: { mode: FavoriteMode; kind: FavoriteKind; id: string }): void {
  const { mode, kind, id } = subject
  // The activation list never shows the service `full`, so it would be an invisible favourite.
  const isListed = catalogOf(ctx).services.has(id) && (mode === 'rent' || id !== FULL_NUMBER)
  if (kind === 'service' && !isListed) throw badService()
  // `Number` accepts " ", "0x0" and "00", which are no country ids.
  const isId = /^(0|[1-9]\d{0,6})$/.test(id)
  if (kind === 'country' && !(isId && catalogOf(ctx).countries.has(Number(id)))) throw badCountry()
}
