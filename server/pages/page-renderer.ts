import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRenderer } from '#contract/page-request.ts'

/** Loads the built pages from `dist`: the one place where the server reaches into the web. Throws when they are not built. */
export async function loadPageRenderer(distDir: string): Promise<PageRenderer> {
  const bundle = join(distDir, 'server/entry-server.js')
  await access(bundle).catch(() => {
    throw new Error(`The pages are not built: ${bundle} is missing. Run "npm run build".`)
  })
  // Built by Vite from web/entry-server.tsx, which is checked against this type (web/entry-server.test.ts).
  const renderer: PageRenderer = await import(pathToFileURL(bundle).href)
  return renderer
}
