import { preinit, preinitModule, preload, preloadModule } from 'react-dom'

/** Absolute paths on this site. */
export type PageAssets = { early: string; entry: string; styles: string[]; modules: string[]; fonts: string[] }

/** Server only: React hoists these into the head, where hydration ignores them. */
export function PageAssetLinks({ assets }: { assets: PageAssets }) {
  for (const href of assets.styles) preinit(href, { as: 'style' })
  for (const href of assets.fonts) preload(href, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  for (const href of assets.modules) preloadModule(href)
  preinitModule(assets.entry)
  // Nothing is drawn before it listens: a form that is sent before would leave the page.
  return <script async blocking="render" fetchPriority="high" src={assets.early} />
}
