import { favorites } from '#contract/calls/catalog-calls.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { Context } from '#server/house/context.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { badCountry, badService, tooManyFavorites } from '#server/house/errors/buying-errors.ts'
import { type Call, route } from '#server/house/http/call.ts'
import type { MemberCaller } from '#server/house/http/caller.ts'
import {
  deleteFavorite,
  type FavoriteKind,
  type FavoriteList,
  type FavoriteMode,
  insertFavorite,
  listFavorites,
} from './queries.ts'

/** The maximum number of a user's favourites in all lists together, because the watch of prices reads them all. */
const MOST_FAVORITES = 200

export const favoriteCalls: Call[] = [
  route(favorites.addForActivation, addTo('activation')),
  route(favorites.removeForActivation, removeFrom('activation')),
  route(favorites.addForRent, addTo('rent')),
  route(favorites.removeForRent, removeFrom('rent')),
]

type Favorite = { id: string; type: FavoriteKind }

function addTo(mode: FavoriteMode) {
  return async (ctx: Context, { member: { userId } }: MemberCaller, { id, type }: Favorite) => {
    requireSubject(ctx, { mode, kind: type, id })
    const favorite = { userId, mode, kind: type, subjectId: id, limit: MOST_FAVORITES, now: ctx.clock.now() }
    if (!(await transaction(ctx.db, (tx) => insertFavorite(tx, favorite)))) throw tooManyFavorites(MOST_FAVORITES)
    return count(ctx, { userId, mode, kind: type })
  }
}

function removeFrom(mode: FavoriteMode) {
  return async (ctx: Context, { member: { userId } }: MemberCaller, { id, type }: Favorite) => {
    await deleteFavorite(ctx.db, { userId, mode, kind: type, subjectId: id })
    return count(ctx, { userId, mode, kind: type })
  }
}

async function count(ctx: Context, list: FavoriteList) {
  return { status: true as const, favorites: (await listFavorites(ctx.db, list)).size }
}

function requireSubject(ctx: Context, subject: { mode: FavoriteMode; kind: FavoriteKind; id: string }): void {
  const { mode, kind, id } = subject
  // The activation list never shows the service `full`, so a favourite of it would be invisible.
  const isListed = catalogOf(ctx).services.has(id) && (mode === 'rent' || id !== FULL_NUMBER)
  if (kind === 'service' && !isListed) throw badService()
  // `Number` accepts " ", "0x0" and "00", which are no country ids.
  const isId = /^(0|[1-9]\d{0,6})$/.test(id)
  if (kind === 'country' && !(isId && catalogOf(ctx).countries.has(Number(id)))) throw badCountry()
}
