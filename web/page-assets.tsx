import { preinit, preinitModule, preload, preloadModule } from 'react-dom'

/** Absolute paths on this site. */
export type PageAssets = { early: string; entry: string; styles: string[]; modules: string[]; fonts: string[] }

/** Server only: React hoists these calls into head elements, which hydration ignores. */
export function PageAssetLinks({ assets }: { assets: PageAssets }) {
  // Beside the styles: before them nothing visible can be pressed.
  preinit(assets.early, { as: 'script', fetchPriority: 'high' })
  for (const href of assets.styles) preinit(href, { as: 'style' })
  for (const href of assets.fonts) preload(href, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  for (const href of assets.modules) preloadModule(href)
  preinitModule(assets.entry)
  return null
}
