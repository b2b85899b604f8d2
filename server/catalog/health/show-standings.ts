import type { Context } from '#server/context.ts'

/** The offers of suppliers that are set aside are hidden; those of a trial stand first, or it would never be made. */
export function showStandings(ctx: Context): void {
  const aside = ctx.health.aside().map(({ supplierId }) => supplierId)
  const trying = aside.filter((id) => ctx.health.slotOf(id) === 'open')
  const hidden = aside.filter((id) => ctx.health.slotOf(id) !== 'open')
  ctx.catalog.setStandings({ hidden, trying })
  ctx.rentCatalog.setStandings({ hidden })
}
