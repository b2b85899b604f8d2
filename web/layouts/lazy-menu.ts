import { lazyPart } from '#web/ui/lazy-part.tsx'

/** Loaded after the page: it cannot be pressed earlier. */
export const LazyMenuPanel = lazyPart(async () => (await import('./menu-panel.tsx')).MenuPanel)
