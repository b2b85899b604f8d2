import { preinit, preinitModule, preload, preloadModule } from 'react-dom'

export type PageAssets = { early: string; entry: string; styles: string[]; modules: string[]; fonts: string[] }

/** Renders the page's assets on the server only, because React moves them into the head, which is not hydrated. */
export function PageAssetLinks({ assets }: { assets: PageAssets }) {
  for (const href of assets.styles) preinit(href, { as: 'style' })
  for (const href of assets.fonts) preload(href, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  for (const href of assets.modules) preloadModule(href)
  preinitModule(assets.entry)
  // Rendering waits for this script, because a form that is sent before its listener exists would leave the page.
  return <script async blocking="render" fetchPriority="high" src={assets.early} />
}
