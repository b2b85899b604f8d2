import type { Screen } from '#web/navigation/loader-input.ts'
import type { SiteRoute } from '#web/navigation/routes.ts'

/** The key in Vite's manifest for the list of screens, which every screen except home needs. */
export const OTHER_SCREENS_FILE = 'web/screens/other-screens.ts'

export const HOME_FILE = 'web/screens/home/page.tsx'

/** Loads a screen, outside routes.ts, because links import the routes and must not import the screens. */
export async function loadScreen({ screen }: SiteRoute): Promise<Screen> {
  if (screen === 'home') return import('./home/page.tsx')
  const { OTHER_SCREENS } = await import('./other-screens.ts')
  const load = OTHER_SCREENS[screen]
  if (load === undefined) throw new Error(screen)
  return load()
}

export function screenFile({ screen }: SiteRoute): string {
  return `web/screens/${screen}${screen.endsWith('-page') ? '' : '/page'}.tsx`
}
