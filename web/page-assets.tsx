import { preinit, preinitModule, preload, preloadModule } from 'react-dom'

/** What a page needs from the build, as absolute paths on this site. */
export type PageAssets = { early: string; entry: string; styles: string[]; modules: string[]; fonts: string[] }

/**
 * Puts the files of the build into the head. Rendered on the server only: React turns the calls into elements that the
 * browser's rendering does not need to know about.
 */
export function PageAssetLinks({ assets }: { assets: PageAssets }) {
  // With the styles, before which nothing is seen that could be pressed.
  preinit(assets.early, { as: 'script', fetchPriority: 'high' })
  for (const href of assets.styles) preinit(href, { as: 'style' })
  for (const href of assets.fonts) preload(href, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  for (const href of assets.modules) preloadModule(href)
  preinitModule(assets.entry)
  return null
}
