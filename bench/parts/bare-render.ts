import { fileURLToPath } from 'node:url'
import { build, loadConfigFromFile, mergeConfig } from 'vite'
import type { PageRenderer, PageRequest } from '#contract/page-request.ts'
import { createApiClient } from '#web/session/api-client.ts'
import { answerParent } from './ask-child.ts'
import { perSecond } from './work-at-once.ts'

const ROOT = new URL('../../', import.meta.url)
const root = fileURLToPath(ROOT)
/** The bundle's folder, inside `dist`, because the bundle reads the manifest of the browser's build in `../client`. */
const OUT_DIR = 'dist/bench'

type BareTree = Pick<PageRenderer, 'render'> & { renderCapturedTree(): string }

let bareTree: BareTree | undefined

/** The lower bound for comparison: rendering without router, loaders, HTTP or compression. */
const answers = {
  prepare: async (input: { origin: string; token: string; page: Omit<PageRequest, 'api' | 'url'> }) => {
    await bundle()
    bareTree = (await import(new URL(`${OUT_DIR}/bare-tree.js`, ROOT).href)) as BareTree
    const made = await bareTree.render({
      ...input.page,
      url: new URL('/', input.page.publicUrl),
      api: apiOver(input.origin, input.token, input.page),
    })
    return made.kind === 'page' ? made.html : ''
  },

  render: async (forMs: number) => {
    const tree = bareTree
    if (tree === undefined) throw new Error('nothing was prepared')
    return perSecond(['renderer'], forMs, async () => {
      tree.renderCapturedTree()
    })
  },
}
export type BareRenderAnswers = typeof answers

answerParent(answers)

async function bundle(): Promise<void> {
  const own = await loadConfigFromFile({ command: 'build', mode: 'production', isSsrBuild: true }, undefined, root)
  // Vite would otherwise add the benchmark's entry to the site's own entries.
  delete own?.config.build?.rollupOptions?.input
  const tree = fileURLToPath(new URL('bare-tree.ts', import.meta.url))
  const renderer = fileURLToPath(new URL('capture-tree.ts', import.meta.url))
  await build(
    mergeConfig(own?.config ?? {}, {
      root,
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: [{ find: /^react-dom\/server$/, replacement: renderer }] },
      build: { ssr: true, outDir: OUT_DIR, rollupOptions: { input: { 'bare-tree': tree } } },
    }),
  )
}

function apiOver(origin: string, token: string, page: Pick<PageRequest, 'locale' | 'zone'>) {
  return createApiClient({
    fetch: (path, init) => fetch(new URL(String(path), origin), init),
    pause: async () => undefined,
    token: () => token,
    refreshable: () => false,
    leaving: () => false,
    userId: () => undefined,
    locale: () => page.locale,
    zone: page.zone.name,
    onRefreshed: () => undefined,
    onExpired: () => undefined,
    onMessage: () => undefined,
  })
}
