import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser } from '#test/harness/chromium.ts'

const ROOT = join(import.meta.dirname, '..')
const PUBLIC = join(ROOT, 'web/public')
const PAPER = '#fbfaf6'
const INK = '#16191f'
const HAIRLINE = '#dedad0'
const SIGNAL = '#f0501e'

/** The icons of the site. Phones crop maskable icons to the inner four fifths. */
const ICONS = [
  { file: 'icon-192.png', side: 192, share: 1, ground: 'transparent' },
  { file: 'icon-512.png', side: 512, share: 1, ground: 'transparent' },
  { file: 'maskable-512.png', side: 512, share: 0.62, ground: PAPER },
  { file: 'touch-180.png', side: 180, share: 0.74, ground: PAPER },
]
/** The size of favicon.ico, which some programs request whatever the page says. */
const FAVICON_SIDE = 48
const SHARE = { width: 1200, height: 630 }

const svg = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8')
const font = await readFile(
  join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'base64',
)
await mkdir(join(PUBLIC, 'icons'), { recursive: true })
const browser = await launchBrowser()
try {
  for (const { file, side, share, ground } of ICONS) {
    await draw(`icons/${file}`, { width: side, height: side }, iconPage({ side, share, ground }))
  }
  await draw('share.png', SHARE, sharePage())
  const favicon = { side: FAVICON_SIDE, share: 1, ground: 'transparent' }
  const png = await picture({ width: FAVICON_SIDE, height: FAVICON_SIDE }, iconPage(favicon))
  await writeFile(join(PUBLIC, 'favicon.ico'), asIco(png, FAVICON_SIDE))
} finally {
  await browser.close()
}

async function draw(file, viewport, html) {
  await writeFile(join(PUBLIC, file), await picture(viewport, html))
}

async function picture(viewport, html) {
  const page = await browser.newPage({ viewport })
  await page.setContent(html)
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return png
}

/** Builds a Windows icon file: a header of 6 bytes, an entry of 16 bytes, and the PNG. */
function asIco(png, side) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(side, 6)
  head.writeUInt8(side, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

function iconPage({ side, share, ground }) {
  const size = Math.round(side * share)
  return `<style>html,body{margin:0;height:100%;background:${ground}}body{display:grid;place-items:center}
    svg{width:${size}px;height:${size}px}</style>${svg}`
}

function sharePage() {
  return `<style>
    @font-face{font-family:Inter;font-weight:100 900;src:url(data:font/woff2;base64,${font})}
    *{box-sizing:border-box}
    html,body{margin:0;height:100%;background:${PAPER};color:${INK};font-family:Inter;font-feature-settings:'cv05','cv08','ss03'}
    body{display:grid;place-items:center}
    .ticket{position:relative;display:flex;width:1040px;height:430px;background:#fff;border:2px solid ${HAIRLINE};border-radius:36px}
    .name{flex:1;display:flex;align-items:center;gap:40px;padding-left:56px}
    .name svg{width:168px;height:168px;flex:none}
    .word{font-size:100px;font-weight:700;letter-spacing:-.04em;line-height:1}
    .stub{position:relative;width:340px;display:flex;flex-direction:column;justify-content:center;gap:26px;padding:0 48px;border-left:4px dashed ${HAIRLINE}}
    .row{height:18px;border-radius:9px;background:${HAIRLINE}}
    .code{white-space:nowrap;font-size:56px;font-weight:700;letter-spacing:.02em;color:${SIGNAL};font-variant-numeric:tabular-nums slashed-zero}
    .hole{position:absolute;left:-30px;width:56px;height:56px;border-radius:50%;background:${PAPER};border:2px solid ${HAIRLINE}}
    .above{top:-30px}.below{bottom:-30px}
    .cover{position:absolute;left:-34px;width:64px;height:28px;background:${PAPER}}
    .cover.above{top:-32px}.cover.below{bottom:-32px}
  </style>
  <div class="ticket"><div class="name">${svg}<div class="word">ringpost</div></div>
  <div class="stub"><div class="hole above"></div><div class="hole below"></div><div class="cover above"></div><div class="cover below"></div>
  <div class="row" style="width:60%"></div><div class="code">482 130</div><div class="row"></div><div class="row" style="width:40%"></div></div></div>`
}
