import type { PageRoute } from '#contract/page-request.ts'

/** The type forces this list to name every guard. */
const GUARDS: Record<PageRoute['access'], true> = { public: true, 'signed-in': true, staff: true }

/** A screen with an unknown guard would be open to all, so the start fails (specification 6). */
export function refuseUnknownGuards(routes: readonly PageRoute[]): void {
  const unknown = routes.find(({ access }) => !Object.hasOwn(GUARDS, access))
  if (unknown !== undefined) throw new Error(`the screen ${unknown.name} names an unknown guard: ${unknown.access}`)
}
