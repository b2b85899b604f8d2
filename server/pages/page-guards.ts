import type { PageRoute } from '#contract/page-request.ts'

/** Every guard there is, with none forgotten: the type of a route lists them. */
const GUARDS: Record<PageRoute['access'], true> = { public: true, 'signed-in': true }

/** A screen behind a guard that nobody has written would be open to all: then nothing starts (product.md section 6). */
export function refuseUnknownGuards(routes: readonly PageRoute[]): void {
  const unknown = routes.find(({ access }) => !Object.hasOwn(GUARDS, access))
  if (unknown !== undefined) throw new Error(`the screen ${unknown.name} names an unknown guard: ${unknown.access}`)
}
