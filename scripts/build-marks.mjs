/** Draws service icons from marks/service-icons.json, which people check. Pages draw missing ones as monograms. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as simpleIcons from 'simple-icons'

const require = createRequire(import.meta.url)
const scriptsFolder = path.dirname(fileURLToPath(import.meta.url))

const tileSize = 24
const glyphSize = 15
const white = '#ffffff'
const ink = '#0e1116'
/** The minimum contrast of a white glyph on a tile. Brands themselves use contrasts this low. */
const leastWhiteContrast = 1.9
/** The page's background colours. A tile with too little contrast to a background gets a hairline. */
const backgrounds = ['#fbfaf6', '#0e1116']
const leastTileContrast = 1.35

const iconSets = {
  cib: require('@iconify-json/cib/icons.json'),
  logos: require('@iconify-json/logos/icons.json'),
}
const simpleIconBySlug = new Map(Object.values(simpleIcons).map((icon) => [icon.slug, icon]))

const outDir = process.argv[2]
if (outDir === undefined) {
  console.error('usage: node scripts/build-marks.mjs <folder>')
  process.exit(2)
}
writeAll(outDir)

function writeAll(folder) {
  const files = [...drawMarks(), ...readFlags()]
  for (const name of ['marks', 'flags']) {
    rmSync(path.join(folder, name), { recursive: true, force: true })
    mkdirSync(path.join(folder, name), { recursive: true })
  }
  for (const [name, text] of files) writeFileSync(path.join(folder, name), text)
  const bytes = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  console.log(`marks: ${files.length} files, ${Math.round(bytes / 1024)} KB`)
}

function drawMarks() {
  const icons = JSON.parse(readFileSync(path.join(scriptsFolder, 'marks/service-icons.json'), 'utf8'))
  const marks = Object.entries(icons).map(([code, icon]) => [`marks/${code}.svg`, drawTile(findGlyph(code, icon))])
  return [...marks, ['marks/index.json', `${JSON.stringify(Object.keys(icons))}\n`]]
}

function findGlyph(code, { set, slug, color, size = glyphSize, backing }) {
  if (set === 'simple-icons') {
    const icon = simpleIconBySlug.get(slug)
    if (icon === undefined) throw new Error(`${code}: simple-icons has no ${slug}`)
    return { shapes: `<path d="${icon.path}"/>`, width: 24, height: 24, color: color ?? `#${icon.hex}`, size, backing }
  }
  const { icons, width = 16, height = 16 } = iconSets[set]
  const icon = icons[slug]
  if (icon === undefined || color === undefined) throw new Error(`${code}: ${set} has no ${slug}, or it lacks a colour`)
  const shapes = icon.body.replaceAll(/ fill="[^"]*"/g, '')
  return { shapes, width: icon.width ?? width, height: icon.height ?? height, color, size, backing }
}

function drawTile(glyph) {
  const tile = glyph.color.toLowerCase()
  const front = contrast(white, tile) >= leastWhiteContrast ? white : ink
  const isNearPage = backgrounds.some((background) => contrast(background, tile) < leastTileContrast)
  const hairline = isNearPage
    ? '<rect x=".5" y=".5" width="23" height="23" rx="5.5" fill="none" stroke="#808080" stroke-opacity=".45"/>'
    : ''
  const drawing = glyph.backing === undefined ? insetGlyph(glyph, front) : cutOutGlyph(glyph, front, tile)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${tileSize} ${tileSize}">` +
    `<rect width="${tileSize}" height="${tileSize}" rx="6" fill="${tile}"/>${drawing}${hairline}</svg>\n`
  )
}

function insetGlyph({ shapes, width, height, size }, fill) {
  const scale = size / Math.max(width, height)
  const left = round((tileSize - width * scale) / 2)
  const top = round((tileSize - height * scale) / 2)
  return `<g transform="translate(${left} ${top}) scale(${round(scale)})" fill="${fill}">${shapes}</g>`
}

/** Fills the icon in the tile's colour, because a filled icon with a cut-out glyph would look like a white plate. */
function cutOutGlyph({ shapes, backing }, front, tile) {
  if (backing === 'disc') return `<circle cx="12" cy="12" r="11" fill="${front}"/><g fill="${tile}">${shapes}</g>`
  // A square as large as the tile would exceed the tile's round corners, but fits at 5/6 of the size.
  const plate = `<rect x="2" y="2" width="20" height="20" rx="5" fill="${front}"/>`
  return `<g transform="translate(2 2) scale(${round(5 / 6)})" fill="${tile}">${plate}${shapes}</g>`
}

function readFlags() {
  const [header, ...lines] = readFileSync(path.join(scriptsFolder, '../server/house/seed/countries.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const column = header.split('\t').indexOf('iso2')
  const codes = [...new Set(lines.map((line) => line.split('\t')[column]))].sort()
  const folder = path.join(path.dirname(require.resolve('country-flag-icons/package.json')), '3x2')
  return codes.map((iso2) => [`flags/${iso2}.svg`, readFileSync(path.join(folder, `${iso2}.svg`), 'utf8')])
}

function contrast(first, second) {
  const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function round(value) {
  return Number(value.toFixed(4))
}
