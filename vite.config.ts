import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { pageTexts } from './scripts/texts/page-texts.ts'

// Vite would build development halves where the shell says NODE_ENV=development: what is built never depends on it.
process.env.NODE_ENV = 'production'

/**
 * What every page loads is two files and not twenty: a long text compresses better than its pieces do apart. Libraries
 * stand alone, because they stay the same from one version of the site to the next. `$initial` keeps out what the entry
 * only loads later.
 */
const INITIAL_SCRIPTS = [
  { name: 'libraries', test: /\/node_modules\//, tags: ['$initial' as const], priority: 4 },
  { name: 'app', test: /^(?!.*\/web\/(?:entry-early|early-network)\.ts)/, tags: ['$initial' as const], priority: 3 },
]

/**
 * The folder says what loads with what: `initial/` holds the parts that most screens show at once, `lazy/` what only a
 * press or a rare state asks for.
 */
const PANEL_SCRIPTS = [
  { name: 'parts', test: /\/web\/.*\/initial\//, priority: 2 },
  { name: 'panel', test: /\/web\/buying\/(panel|picker)\/(?!lazy\/)/, priority: 1 },
]

/**
 * Two builds from one configuration: `vite build` makes what the browser loads (dist/client), `vite build --ssr` the
 * bundles the server imports to render pages (dist/server/entry-server.js) and mails (entry-mails.js). Browser first: the
 * pages read its manifest.
 */
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), pageTexts({ compiled: true }), ownLoader(), compressedFiles()],
  publicDir: isSsrBuild ? false : 'web/public',
  // And the bundle does not ask the server's environment either.
  define: {
    'process.env.NODE_ENV': '"production"',
    // Zod tries `new Function` when its first schema is made, which our content security policy refuses and browsers tell.
    ...(isSsrBuild !== true && { 'globalThis.__zod_globalConfig': '{"jitless":true}' }),
  },
  resolve: {
    // Texts are compiled by this build: the parser of their language stays out of what is loaded.
    alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  build: {
    target: 'es2023',
    // The first with light-dark(). Lowered for older ones, it would be resolved at html and not where a colour is used.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    emptyOutDir: true,
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: isSsrBuild
        ? { 'entry-server': 'web/entry-server.tsx', 'entry-mails': 'web/entry-mails.tsx' }
        : ['web/entry-client.tsx', 'web/entry-early.ts'],
      output: isSsrBuild
        ? { entryFileNames: '[name].js' }
        : { codeSplitting: { groups: [...INITIAL_SCRIPTS, ...PANEL_SCRIPTS] } },
    },
  },
  // All of the page's libraries go into the bundle: it starts faster and cannot mix development and production halves.
  ssr: { noExternal: true, target: 'node' },
}))

const VITE_LOADER = '\0vite/preload-helper.js'
/** Vite names no files for an import whose script imports no other. */
const LONE_IMPORT = /(import\(`\.\/([\w-]+\.js)`\)(?:;return\{[^}]*\}\})?),\[\]\)/g
const UNNAMED_IMPORT = /import\([^)]*\)(?:;return\{[^}]*\}\})?,(?:\[\]|void 0)\)/

/** Puts web/navigation/load-module.ts in the place of Vite's loader, which cannot try a failed import again. */
function ownLoader(): Plugin {
  return {
    name: 'own-loader',
    enforce: 'pre',
    apply: (_, { isSsrBuild }) => isSsrBuild !== true,
    load: (id) =>
      id === VITE_LOADER
        ? `export { loadModule as __vitePreload } from '${join(import.meta.dirname, 'web/navigation/load-module.ts')}'`
        : null,
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue
          file.code = file.code.replace(LONE_IMPORT, '$1,["assets/$2"])')
          if (UNNAMED_IMPORT.test(file.code)) throw new Error(`${file.fileName} imports a script without its files`)
        }
      },
    },
  }
}

const COMPRESSED_FILES = /\.(?:js|css)$/

/** Lays `.br` and `.gz` beside each script and style, so that the server sends ready bytes. */
function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: (_, { isSsrBuild }) => isSsrBuild !== true,
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => COMPRESSED_FILES.test(file))
      await Promise.all(files.map((file) => compressFile(join(dir, file))))
    },
  }
}

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
