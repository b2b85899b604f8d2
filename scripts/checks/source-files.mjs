import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { ROOT } from '../run-step.mjs'

/**
 * @typedef {{ specifier: string, typeOnly: boolean, lazy: boolean }} Import
 * @typedef {{ line: number, text: string }} Comment
 * @typedef {{ path: string, text: string, imports: Import[], strings: string[], comments: Comment[] }} SourceFile
 */

const FOLDERS = ['contract', 'server', 'web', 'test', 'bench', 'scripts']
const ENDINGS = /\.(ts|tsx|mjs)$/

export async function readSourceFiles() {
  const files = []
  for (const folder of FOLDERS) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isFile() || !ENDINGS.test(entry.name)) continue
      const absolute = join(entry.parentPath, entry.name)
      const path = absolute.slice(ROOT.length).replaceAll('\\', '/')
      files.push(parseSource(path, await readFile(absolute, 'utf8')))
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Parses a source file. Throws if its syntax is wrong. @returns {SourceFile} */
export function parseSource(path, text) {
  const { module, program, comments, errors } = parseSync(path, text)
  const failure = errors[0]
  if (failure !== undefined) throw new Error(`${path}: ${failure.message}`)
  const imports = []
  for (const found of module.staticImports) {
    const { entries } = found
    // An import without names, such as `import './x.ts'`, executes the file, so it is not a type import.
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType)
    imports.push({ specifier: found.moduleRequest.value, typeOnly, lazy: false })
  }
  for (const found of module.staticExports) {
    for (const entry of found.entries) {
      if (entry.moduleRequest !== null && entry.moduleRequest !== undefined) {
        imports.push({ specifier: entry.moduleRequest.value, typeOnly: entry.isType, lazy: false })
      }
    }
  }
  for (const found of module.dynamicImports) {
    const literal = /^['"](.+)['"]$/.exec(text.slice(found.moduleRequest.start, found.moduleRequest.end))
    if (literal?.[1] !== undefined) imports.push({ specifier: literal[1], typeOnly: false, lazy: true })
  }
  return { path, text, imports, strings: collectStrings(program), comments: collectComments(text, comments) }
}

function collectComments(text, comments) {
  const collected = []
  let end = -1
  for (const comment of comments) {
    const words = comment.value
      .replace(/^\*/, '')
      .replaceAll(/\n[ \t]*\*?/g, '\n')
      .trim()
    const last = collected.at(-1)
    if (comment.type === 'Line' && end >= 0 && /^\n[ \t]*$/.test(text.slice(end, comment.start)))
      last.text += `\n${words}`
    else collected.push({ line: text.slice(0, comment.start).split('\n').length, text: words })
    end = comment.type === 'Line' ? comment.end : -1
  }
  return collected
}

/** Collects the strings of a file. Values inside a template become `…`. */
function collectStrings(program) {
  const strings = []
  const visit = (node) => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each)
    } else if (node !== null && typeof node === 'object') {
      if (node.type === 'Literal' && typeof node.value === 'string') strings.push(node.value)
      if (node.type === 'TemplateLiteral') strings.push(node.quasis.map((part) => part.value.cooked ?? '').join('…'))
      for (const value of Object.values(node)) visit(value)
    }
  }
  visit(program)
  return strings
}
