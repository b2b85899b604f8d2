import { escapeXml } from '#server/surfaces/site/site-map/xml.ts'
import type { Card } from './card.ts'

export const WIDTH = 1200
export const HEIGHT = 630

const [PAPER, SURFACE, INK, MUTED, HAIRLINE, SIGNAL] = [
  '#fbfaf6',
  '#ffffff',
  '#16191f',
  '#5c6068',
  '#dedad0',
  '#f0501e',
]
const LOGO =
  'M5 4h18a3 3 0 0 1 3 3v4.2a2.8 2.8 0 0 0 0 5.6V21a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3v-4.2a2.8 2.8 0 0 0 0-5.6V7a3 3 0 0 1 3-3z'

const BODY_WIDTH = 640
const STUB = { x: 806, width: 268 }

/** The characters of the faces in `fonts/`: Latin, Cyrillic, and the marks of texts and prices. */
const LETTERS =
  /^[\u0020-\u007e\u00a0-\u0148\u014a-\u017f\u0400-\u045f\u0490\u0491\u2013\u2014\u2018\u2019\u201c-\u201e\u2022\u2026\u20ac\u20bd\u2116\u2122\u2212]*$/

/** Tells whether the faces have all letters of a text. A missing letter would be drawn as a box. */
export function hasLetters(text: string): boolean {
  return LETTERS.test(text)
}

/** Draws a card as a ticket of the site, in SVG. `icon` is a data URL. */
export function drawCard(card: Card, icon: string | null): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Inter">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAPER}"/>
<path d="M116 100h630a28 28 0 0 0 56 0h282a36 36 0 0 1 36 36v358a36 36 0 0 1 -36 36h-282a28 28 0 0 0 -56 0h-630a36 36 0 0 1 -36 -36v-358a36 36 0 0 1 36 -36z" fill="${SURFACE}" stroke="${HAIRLINE}" stroke-width="3"/>
<path d="M774 150v330" stroke="${HAIRLINE}" stroke-width="6" stroke-linecap="round" stroke-dasharray="1 17"/>
${icon === null ? '' : `<image href="${icon}" x="128" y="150" width="104" height="104" preserveAspectRatio="xMinYMid meet"/>`}
${titleOf(card.title, icon === null ? 214 : 340)}
<g transform="translate(128 434) scale(2)"><path d="${LOGO}" fill="${SIGNAL}"/><circle cx="14" cy="14" r="5" fill="none" stroke="${SURFACE}" stroke-width="2.6"/></g>
<text x="200" y="477" font-size="40" font-weight="700" letter-spacing="-1.2" fill="${INK}">ringpost</text>
<text x="384" y="476" font-size="26" font-family="Inter Medium" font-weight="500" fill="${MUTED}">${escapeXml(card.about)}</text>
${stubOf(card.stub)}
</svg>`
}

/** The width of an average letter of Inter Bold, as a share of the size. */
const LETTER_WIDTH = 0.58
const SIZES = [84, 72, 60, 52, 46]
const SMALLEST = 46

function titleOf(title: string, y: number): string {
  const fits = (size: number) => linesOf(title, size).length * size <= 460 - y
  const size = SIZES.find((one) => linesOf(title, one).length === 1) ?? SIZES.find(fits) ?? SMALLEST
  const most = Math.max(1, Math.floor((460 - y) / size))
  const lines = linesOf(title, size)
  const shown = lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]}…`] : lines
  const spans = shown.map((line, at) => `<tspan x="128" dy="${at === 0 ? 0 : size * 1.14}">${escapeXml(line)}</tspan>`)
  return `<text y="${y}" font-size="${size}" font-weight="700" letter-spacing="${-0.03 * size}" fill="${INK}">${spans.join('')}</text>`
}

function linesOf(text: string, size: number): string[] {
  const most = Math.floor(BODY_WIDTH / (size * LETTER_WIDTH))
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word.slice(0, most))
  }
  return lines
}

function stubOf(stub: Card['stub']): string {
  const middle = STUB.x + STUB.width / 2
  if ('day' in stub) {
    return `<g fill="none" stroke="${SIGNAL}" stroke-width="5" transform="rotate(-10 ${middle} 315)"><circle cx="${middle}" cy="315" r="106"/><circle cx="${middle}" cy="315" r="74"/></g>
<g transform="rotate(-10 ${middle} 315)" fill="${SIGNAL}" font-weight="700" text-anchor="middle"><text x="${middle}" y="312" font-size="38">${escapeXml(stub.day)}</text><text x="${middle}" y="350" font-size="32">${escapeXml(stub.year)}</text></g>`
  }
  const size = Math.min(68, STUB.width / (stub.value.length * LETTER_WIDTH))
  return `<g text-anchor="middle"><text x="${middle}" y="270" font-size="28" font-family="Inter Medium" font-weight="500" fill="${MUTED}">${escapeXml(stub.label)}</text>
<text x="${middle}" y="344" font-size="${size}" font-weight="700" letter-spacing="${-0.02 * size}" fill="${SIGNAL}">${escapeXml(stub.value)}</text>
<text x="${middle}" y="400" font-size="26" font-family="Inter Medium" font-weight="500" fill="${MUTED}">${escapeXml(stub.note)}</text></g>`
}
