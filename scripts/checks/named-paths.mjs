import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../run-step.mjs'

const FOLDERS = ['bench', 'content', 'contract', 'docs', 'migrations', 'scripts', 'server', 'test', 'web']
const FILE = /^[\w{},./-]+\.(?:ts|tsx|mjs|css|sql|tsv|pl)$/
const FOLDER = new RegExp(`^(?:${FOLDERS.join('|')})/[\\w{},./-]*$`)

/**
 * Finds paths in documents that do not exist. A document may leave out a path's first folders: `purchase/buy.ts`.
 * @param {{ documents: { path: string, text: string }[], paths: string[] }} tree `paths`: files and folders
 */
export function findLostPaths({ documents, paths }) {
  const isThere = (named) => paths.some((path) => path === named || path.endsWith(`/${named}`))
  return documents.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) =>
      [...line.matchAll(/`([^`\s]+)`/g)]
        .flatMap(([, word = '']) => (FILE.test(word) || FOLDER.test(word) ? expand(word.replace(/\/$/, '')) : []))
        .filter((named) => !isThere(named))
        .map((named) => `${path}:${at + 1} names ${named}, which is not there`),
    ),
  )
}

function expand(named) {
  const [braces, words] = /\{([^}]*)\}/.exec(named) ?? []
  if (braces === undefined) return [named]
  return words.split(',').flatMap((word) => expand(named.replace(braces, word)))
}

export async function readTree() {
  const listed = await Promise.all(
    FOLDERS.map(async (folder) => {
      const names = await readdir(join(ROOT, folder), { recursive: true })
      return [folder, ...names.map((name) => `${folder}/${name}`)]
    }),
  )
  const paths = [...listed.flat(), ...(await readdir(ROOT))]
  const read = ['README.md', 'CHANGELOG.md', ...paths.filter((path) => /^docs\/.*\.md$/.test(path))]
  const documents = await Promise.all(
    read.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })),
  )
  return { documents, paths }
}
