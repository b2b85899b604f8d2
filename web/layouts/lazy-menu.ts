import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The menu's code loads after the page, because nobody can press the menu earlier. */
export const LazyMenuPanel = lazyPart(async () => (await import('./menu-panel.tsx')).MenuPanel)
