import { join } from 'node:path'
import compileMessage from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { listLanguages, readWholeSections, type Texts } from './read-sections.mjs'

type CompiledTexts = { [key: string]: ReturnType<typeof compileMessage> | CompiledTexts }

const FOLDER = /\bweb\/locales\/(\w+)\/(initial|lazy)$/
const FOLDERS = 'web/locales/folders'

/**
 * A Vite plugin that provides the texts of pages. Each folder (`initial`, `lazy`) is one module and one request. The
 * server's `initial` includes the lazy texts. `compiled` turns ICU messages into a form that needs no parser. The module
 * `folders` imports each folder when a page asks for it.
 */
export function pageTexts({ compiled }: { compiled: boolean }): Plugin {
  let root = ''
  return {
    name: 'page-texts',
    enforce: 'pre',
    configResolved(config) {
      root = config.root
    },
    resolveId(source) {
      return source === `#${FOLDERS}` || (source.startsWith('#') && FOLDER.test(source))
        ? join(root, source.slice(1))
        : null
    },
    async load(id, { ssr = false } = {}) {
      if (id === join(root, FOLDERS)) return { code: await importFolders(), moduleType: 'js' }
      const [, language, extent] = FOLDER.exec(id) ?? []
      if (language === undefined) return null
      const sections = await readWholeSections(
        language,
        ssr ? ['initial', 'lazy'] : [extent === 'lazy' ? 'lazy' : 'initial'],
      )
      const texts = compiled ? compileTexts(sections) : sections
      return { code: `export const texts = ${JSON.stringify(texts)}`, moduleType: 'js' }
    },
  }
}

async function importFolders(): Promise<string> {
  const lines = (await listLanguages()).map((language) => {
    const [initial, lazy] = ['initial', 'lazy'].map((extent) => `() => import('#web/locales/${language}/${extent}')`)
    return `${language}: { initial: ${initial}, lazy: ${lazy} }`
  })
  return `export const folders = {\n${lines.join(',\n')}\n}`
}

function compileTexts(texts: Texts): CompiledTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compileMessage(text) : compileTexts(text),
    ]),
  )
}
