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
      {/* The low priority lets styles and fonts come first, so that a slow network paints a second sooner. */}
      {assets.modules.map((href) => (
        <link key={href} rel="modulepreload" fetchPriority="low" href={href} />
      ))}
    </>
  )
}
