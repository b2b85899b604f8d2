import { posix } from 'node:path'

/** @typedef {import('./source-files.mjs').SourceFile} SourceFile */

const TEST_FILE = /\.test\.tsx?$|\/test-[^/]+\.tsx?$/

/** Lowest layer first; a file imports from its own layer and from lower ones. */
const LAYERS = [
  {
    name: 'the house',
    pattern: /^server\/((config\/)?[^/]+\.ts$|(db|money|rates|jobs|http|realtime|mail|bot|seed)\/)/,
  },
  { name: 'suppliers', pattern: /^server\/(suppliers|gateways)\// },
  { name: 'catalog', pattern: /^server\/catalog\// },
  { name: 'notifications', pattern: /^server\/notifications\// },
  { name: 'accounts', pattern: /^server\/accounts\// },
  { name: 'webhooks', pattern: /^server\/webhooks\// },
  { name: 'payments', pattern: /^server\/payments\// },
  { name: 'programmes', pattern: /^server\/programmes\// },
  { name: 'numbers', pattern: /^server\/numbers\// },
  { name: 'alarms', pattern: /^server\/alarms\// },
  { name: 'support', pattern: /^server\/support\// },
  { name: 'telegram', pattern: /^server\/telegram\// },
  { name: 'privacy', pattern: /^server\/privacy\// },
  { name: 'protocols', pattern: /^server\/protocols\// },
  { name: 'site and pages', pattern: /^server\/(site|pages)\// },
  { name: 'app.ts', pattern: /^server\/app\.ts$/ },
  { name: 'what puts the service together', pattern: /^server\/(demo|boot)\// },
  { name: 'the programs', pattern: /^server\/(cli\/|(main|cli)\.ts$)/ },
]

/** @param {SourceFile[]} files */
export function findBorderViolations(files) {
  const violations = []
  for (const file of files) {
    // A test views its subject from outside.
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
  if (from.startsWith('web/ui/') && /^web\/(?!ui\/).+\//.test(target)) return 'web/ui knows no room of the product'
  if (home !== 'server') return null
  if (away === 'web') return 'the server renders pages through the built bundle'
  if (ours && away !== 'server' && away !== 'contract') return 'the server imports only contract'
  const layer = layerOf(from)
  const other = layerOf(target)
  if (layer === -1) return 'its folder is on no level: see scripts/checks/borders.mjs'
  if (other > layer) return `${LAYERS[layer].name} must not know ${LAYERS[other].name}`
  return forbiddenBetweenRooms(from, target)
}

function layerOf(path) {
  return LAYERS.findLastIndex(({ pattern }) => pattern.test(path))
}

/** Rooms of an area share verbs and queries; states and reply shapes are private. */
function forbiddenBetweenRooms(from, target) {
  const room = /^server\/(?:accounts|programmes|catalog|numbers|protocols|site)\/([^/]+)\//
  const mine = room.exec(from)?.[1]
  const theirs = room.exec(target)?.[1]
  if (mine === undefined || theirs === undefined || mine === theirs) return null
  return /\/(schema|state|routes)\.ts$/.test(target) ? 'rooms meet at verbs and queries' : null
}

/** Cycles of types and lazy imports count too. @returns {string[][]} each ends with its first file */
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
