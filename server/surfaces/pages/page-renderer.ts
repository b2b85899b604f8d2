import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageRenderer } from '#contract/page-request.ts'

/** Loads the built web pages. No other part of the server loads them. Throws when the pages are not built. */
export async function loadPageRenderer(distDir: string): Promise<PageRenderer> {
  const bundle = join(distDir, 'server/entry-server.js')
  await access(bundle).catch(() => {
    throw new Error(`The pages are not built: ${bundle} is missing. Run "npm run build".`)
  })
  // web/entry-server.test.ts checks the bundle against this type.
  const renderer: PageRenderer = await import(pathToFileURL(bundle).href)
  return renderer
}
