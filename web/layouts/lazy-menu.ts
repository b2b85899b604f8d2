import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The menu loads after the page, because it cannot be pressed earlier. */
export const LazyMenuPanel = lazyPart(async () => (await import('./menu-panel.tsx')).MenuPanel)
