import { preinit, preinitModule, preload } from 'react-dom'

export type PageAssets = { early: string; entry: string; styles: string[]; modules: string[]; fonts: string[] }

/** Renders the page's assets on the server only, because React moves them into the head, which is not hydrated. */
export function PageAssetLinks({ assets }: { assets: PageAssets }) {
  for (const href of assets.styles) preinit(href, { as: 'style' })
  for (const href of assets.fonts) preload(href, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  preinitModule(assets.entry)
  return (
    <>
      {/* Rendering waits for this script: a form that is sent before its listener exists would leave the page. */}
      <script async blocking="render" fetchPriority="high" src={assets.early} />
      {/* The browser would fetch these with the styles and the fonts, and paint a second later on a slow network. */}
      {assets.modules.map((href) => (
        <link key={href} rel="modulepreload" fetchPriority="low" href={href} />
      ))}
    </>
  )
}
