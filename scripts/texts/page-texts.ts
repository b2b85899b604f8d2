import { join } from 'node:path'
import compileMessage from 'icu-minify/compile'
import type { Plugin } from 'vite'
import { readSections, type Texts } from './read-sections.mjs'

type CompiledTexts = { [key: string]: ReturnType<typeof compileMessage> | CompiledTexts }

const FOLDER = /\bweb\/locales\/(\w+)\/(initial|lazy)$/

/**
 * A Vite plugin that provides the texts of pages. Each folder (`initial`, `lazy`) is one module and one request. The
 * server's `initial` includes the lazy texts. `compiled` turns ICU messages into a form that needs no parser.
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
      return source.startsWith('#') && FOLDER.test(source) ? join(root, source.slice(1)) : null
    },
    async load(id, { ssr = false } = {}) {
      const [, language, extent] = FOLDER.exec(id) ?? []
      if (language === undefined) return null
      const sections = await readSections(
        language,
        ssr ? ['initial', 'lazy'] : [extent === 'lazy' ? 'lazy' : 'initial'],
      )
      const texts = compiled ? compileTexts(sections) : sections
      return { code: `export const texts = ${JSON.stringify(texts)}`, moduleType: 'js' }
    },
  }
}

function compileTexts(texts: Texts): CompiledTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? compileMessage(text) : compileTexts(text),
    ]),
  )
}
