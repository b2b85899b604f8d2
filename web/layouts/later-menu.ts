import { later } from '#web/ui/later.tsx'

/** What the menu holds, fetched when the page stands: nobody presses before. */
export const LaterMenuPanel = later(async () => (await import('./menu-panel.tsx')).MenuPanel)
