import { posix } from 'node:path'
import { AREAS, ROOMS } from './layers.mjs'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

const TEST_FILE = /\.test\.tsx?$/

/** Returns a sentence for each forbidden import and each import cycle. @param {SourceFile[]} files */
export function findBorderViolations(files) {
  const violations = []
  for (const file of files) {
    // Tests may import anything, because they view their subject from outside.
    if (TEST_FILE.test(file.path)) continue
    for (const { specifier } of file.imports) {
      const target = resolveImport(file.path, specifier)
      const reason = forbidden(file.path, target)
      if (reason !== null) violations.push(`${file.path} imports ${target}: ${reason}`)
    }
  }
  return [...violations, ...findCycles(files).map((cycle) => `a cycle of imports: ${cycle.join(' → ')}`)]
}

function resolveImport(from, specifier) {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  return specifier
}

function forbidden(from, target) {
  const home = from.split('/')[0]
  const away = target.split('/')[0]
  const ours = ['contract', 'server', 'web', 'test', 'bench', 'scripts'].includes(away ?? '')
  if (home === 'contract' && ours && away !== 'contract') return 'contract imports nothing of ours'
  if (home === 'contract' && target.startsWith('node:')) return 'contract runs in the browser as well'
  if (home === 'web' && ours && away !== 'web' && away !== 'contract') return 'web imports only contract'
  if (home === 'server' && away === 'web') return 'the server renders pages through the built bundle'
  if (home === 'server' && ours && away !== 'server' && away !== 'contract') return 'the server imports only contract'
  if (!['server', 'web'].includes(home) || home !== away) return null
  return forbiddenBetweenAreas(from, target) ?? forbiddenBetweenRooms(from, target)
}

function forbiddenBetweenAreas(from, target) {
  const [mine, theirs] = [areaOf(from), areaOf(target)]
  if (mine === undefined) return 'its folder is in no area: see scripts/checks/layers.mjs'
  if (theirs === undefined || mine === theirs) return null
  if (mine.floor < theirs.floor) return `${mine.name} must not know ${theirs.name}`
  return mine.floor === theirs.floor ? `${mine.name} stands beside ${theirs.name}` : null
}

function areaOf(path) {
  return AREAS.find(({ pattern }) => pattern.test(path))
}

function forbiddenBetweenRooms(from, target) {
  for (const { area, rooms } of ROOMS) {
    if (!from.startsWith(area) || !target.startsWith(area)) continue
    const [mine, theirs] = [roomOf(from, area), roomOf(target, area)]
    if (mine === '' || theirs === '' || mine === theirs) return null
    const place = rooms.indexOf(mine)
    if (place === -1) return `${mine} has no place among the rooms of ${area}: see scripts/checks/layers.mjs`
    if (place < rooms.indexOf(theirs)) return `${mine} comes before ${theirs}`
    return /\/(schema|state|routes)\.tsx?$/.test(target) ? 'rooms meet at verbs and queries' : null
  }
  return null
}

/** Returns the file's subfolder in the area, or ''. */
function roomOf(path, area) {
  const rest = path.slice(area.length)
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : ''
}

/**
 * Finds import cycles. Imports of types and lazy imports count too. @returns {string[][]} each ends with its first file
 */
function findCycles(files) {
  const targets = new Map(
    files.map((file) => [file.path, file.imports.map((each) => resolveImport(file.path, each.specifier))]),
  )
  const finished = new Set()
  const cycles = []
  const visit = (path, trail) => {
    if (finished.has(path) || !targets.has(path)) return
    const seenAt = trail.indexOf(path)
    if (seenAt !== -1) {
      cycles.push([...trail.slice(seenAt), path])
      return
    }
    for (const target of targets.get(path)) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return cycles
}
