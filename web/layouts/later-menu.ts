import { lazyPart } from '#web/ui/lazy-part.tsx'

/** What the menu holds, fetched when the page stands: nobody presses before. */
export const LaterMenuPanel = lazyPart(async () => (await import('./menu-panel.tsx')).MenuPanel)
