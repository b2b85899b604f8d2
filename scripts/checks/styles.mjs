import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

const TOKENS = 'web/tokens.css'
/** The offline page loads no other style sheet, so it needs colours of its own. */
const STANDALONE = /^web\/public\//
const COLOR = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(/gi
const CLASS_COLOR = /\b[a-z-]+-\[(?:#[\da-f]{3,8}|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^\]]*)\]/gi
/** Matches files that draw pages. The server builds HTML from texts in server/surfaces/site/content/. */
const DRAWS = /^web\/|^server\/surfaces\/site\/content\//
const TEST_FILE = /\.test\.tsx?$/
const HUE = /hsl\(var\(--hue\)[^)]*\)/g

export async function readStyles() {
  const names = (await readdir(join(ROOT, 'web'), { recursive: true })).filter((name) => name.endsWith('.css'))
  const paths = names.map((name) => `web/${name.replaceAll('\\', '/')}`).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })))
}

/**
 * Finds colours outside the palette and unused classes.
 * @param {{ path: string, text: string }[]} styles @param {SourceFile[]} files
 */
export function findStyleViolations(styles, files) {
  const pages = files.filter(({ path }) => DRAWS.test(path) && !TEST_FILE.test(path))
  const used = new Set(pages.flatMap(({ strings }) => strings.flatMap((each) => each.split(/[\s.…"=<>]+/))))
  const own = styles.filter(({ path }) => !STANDALONE.test(path))
  return [
    ...own.flatMap((style) => judgeStyle(style, used)),
    ...pages.flatMap(({ path, strings }) =>
      strings
        .flatMap((each) => each.match(CLASS_COLOR) ?? [])
        .map((found) => `${path}: ${found} is a colour of its own`),
    ),
  ]
}

function judgeStyle({ path, text }, used) {
  const rules = text.replace(/\/\*[\s\S]*?\*\//g, ' ')
  const colors = path === TOKENS ? [] : (rules.replace(HUE, '').match(COLOR) ?? [])
  const selectors = rules.match(/[^{};]+(?=\{)/g) ?? []
  const classes = new Set(
    selectors
      .filter((selector) => !selector.trim().startsWith('@') && !/^[\d.%,\s]+$/.test(selector))
      .flatMap((selector) => [...selector.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name = '']) => name)),
  )
  const unused = [...classes].filter((name) => !used.has(name))
  return [
    ...colors.map((color) => `${path}: the colour ${color} belongs in ${TOKENS}`),
    ...unused.map((name) => `${path}: nothing has the class ${name}`),
  ]
}
