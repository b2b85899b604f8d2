import type { PageRoute } from '#contract/page-request.ts'

const GUARDS: Record<PageRoute['access'], true> = { public: true, 'signed-in': true, staff: true }

/**
 * Throws, so that the start fails, if a screen names an unknown guard (access check). The screen would be open to all
 * (specification 6).
 */
export function refuseUnknownGuards(routes: readonly PageRoute[]): void {
  const unknown = routes.find(({ access }) => !Object.hasOwn(GUARDS, access))
  if (unknown !== undefined) throw new Error(`the screen ${unknown.name} names an unknown guard: ${unknown.access}`)
}
