import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The menu's script loads after the page, as nobody can press the menu earlier. */
export const LazyMenuPanel = lazyPart(async () => (await import('./menu-panel.tsx')).MenuPanel)
