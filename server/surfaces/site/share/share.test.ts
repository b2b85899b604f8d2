import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { tooBusy } from '#server/house/errors/errors.ts'
import { FairQueue } from '#server/house/limits/fair-queue.ts'
import { startTestApp } from '#test/harness/harness.ts'
import type { Card } from './card.ts'
import { drawCard, hasLetters } from './draw-card.ts'
import { makePicture } from './make-picture.ts'

const CARD: Card = {
  title: 'Telegram',
  about: 'Numbers for SMS codes',
  icon: null,
  stub: { label: 'numbers from', value: '13.00 ₽', note: 'success rate: 94 %' },
}
const PNG = '89504e470d0a1a0a'

function sizeOf(png: Buffer): [width: number, height: number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('services, countries and articles have pictures of the size that social networks want, in both languages', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const pictures: string[] = []
  for (const path of [
    '/share/service/telegram.png?l=en',
    '/share/service/telegram.png?l=ru',
    '/share/country/kazakhstan.png?l=en',
    '/share/blog/product/what-the-figures-mean.png?l=en',
  ]) {
    const reply = await t.fetch(path)
    expect([reply.status, reply.headers.get('content-type'), reply.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=3600',
    ])
    const png = Buffer.from(await reply.arrayBuffer())
    expect(png.subarray(0, 8).toString('hex')).toBe(PNG)
    expect(sizeOf(png)).toEqual([1200, 630])
    pictures.push(png.toString('base64'))
  }
  expect(new Set(pictures).size).toBe(pictures.length)
})

test('a card of a service is made without what only its page shows', async () => {
  await using t = await startTestApp()
  await t.addFake()
  expect((await t.fetch('/share/service/telegram.png')).status).toBe(200)
  expect([...t.ctx.memory.sizes()].map(([{ name }]) => name)).not.toContain('codes of services by hour')
})

test('there are no pictures of what has no page', async () => {
  await using t = await startTestApp({ environment: { CLOSED_PAGES: 'blog' } })
  await t.addFake()
  for (const path of [
    '/share/service/nobody.png',
    '/share/service/telegram.jpg',
    '/share/service/..%2Ftelegram.png',
    '/share/country/nowhere.png',
    '/share/blog/product/what-the-figures-mean.png',
  ]) {
    expect([path, (await t.fetch(path)).status]).toEqual([path, 404])
  }
})

test('another price is another picture, and the same card is drawn once', async () => {
  await using t = await startTestApp()
  const dearer: Card = { ...CARD, stub: { label: 'numbers from', value: '14.00 ₽', note: '' } }
  const [first, again, other] = await Promise.all([CARD, CARD, dearer].map((card) => makePicture(t.ctx, 'a', card)))
  expect(again).toBe(first)
  expect(other?.equals(first ?? Buffer.alloc(0))).toBe(false)
  expect(await makePicture(t.ctx, 'a', { ...CARD })).toBe(first)
})

test('drawing and encoding leave the thread that sells to its requests', async () => {
  await using t = await startTestApp()
  const draw = (made: number) => makePicture(t.ctx, 'a', { ...CARD, title: `Service ${made}` })
  await draw(0)
  const [thread, all] = [process.threadCpuUsage(), process.cpuUsage()]
  for (let made = 1; made <= 8; made += 1) await draw(made)
  const [ofThread, ofProcess] = [process.threadCpuUsage(thread), process.cpuUsage(all)]
  expect((ofThread.user + ofThread.system) / (ofProcess.user + ofProcess.system)).toBeLessThan(0.4)
})

test('a network gets so many pictures, and then a refusal', async () => {
  await using t = await startTestApp({ config: { pagesPerSecond: 1 } })
  await t.addFake()
  const statuses: number[] = []
  for (let asked = 0; asked < 12; asked += 1) statuses.push((await t.fetch('/share/service/telegram.png')).status)
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
})

test('a flood of different pictures waits in a short queue, whose overflow is refused at once', async () => {
  await using t = await startTestApp()
  const flood = Array.from({ length: 60 }, (_, made) => makePicture(t.ctx, 'a', { ...CARD, title: `Service ${made}` }))
  const drawn = (await Promise.allSettled(flood)).filter(({ status }) => status === 'fulfilled')
  expect(drawn.length).toBeLessThan(12)
  expect(drawn.length).toBeGreaterThan(0)
})

test('while too many pictures wait, a link shows the picture of the site', async () => {
  await using t = await startTestApp()
  await t.addFake()
  using queue = vi.spyOn(FairQueue.prototype, 'run').mockRejectedValue(tooBusy(5))
  const reply = await t.fetch('/share/service/telegram.png?l=en')
  expect([reply.status, reply.headers.get('location'), reply.headers.get('cache-control')]).toEqual([
    302,
    '/share.png',
    'no-store',
  ])
  expect(queue).toHaveBeenCalledTimes(1)
})

test('a name that our faces cannot write, or a failure, which is not tried again at once, has the picture of the site', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const rename = async (name: string) => {
    await t.ctx.db.query({ text: `UPDATE services SET name_en = $1 WHERE code = 'tg'`, values: [name] })
    await loadCatalog(t.ctx)
  }
  const ask = async (slug: string) => {
    const reply = await t.fetch(`/share/service/${slug}.png?l=en`)
    return [reply.status, reply.headers.get('location')]
  }
  await rename('微信 tg')
  expect(await ask('tg')).toEqual([302, '/share.png'])
  await rename('Telegram 2')
  using encoding = vi.spyOn(sharp.prototype, 'toBuffer').mockRejectedValue(new Error('no memory'))
  for (let asked = 0; asked < 3; asked += 1) expect(await ask('telegram-2')).toEqual([302, '/share.png'])
  expect(encoding).toHaveBeenCalledTimes(1)
  expect(t.log.lines.filter(({ sentence }) => sentence === 'a picture to share could not be drawn')).toHaveLength(1)
  encoding.mockRestore()
  t.clock.advance(11 * MINUTE)
  expect(await ask('telegram-2')).toEqual([200, null])
})

test('the letters that we draw are those of the faces', async () => {
  for (const weight of [500, 700]) {
    const face = await readFile(join(import.meta.dirname, `fonts/inter-${weight}.otf`))
    const letters = lettersOf(face)
    for (let code = 1; code < 0xffff; code += 1) {
      if (hasLetters(String.fromCodePoint(code)) !== letters.has(code))
        throw new Error(`${weight}: ${code.toString(16)}`)
    }
  }
})

/** Reads the characters of an OpenType face from its table `cmap`, in the format 4. */
function lettersOf(face: Buffer): Set<number> {
  const letters = new Set<number>()
  const tables = Array.from({ length: face.readUInt16BE(4) }, (_, at) => 12 + 16 * at)
  const cmap = face.readUInt32BE((tables.find((at) => face.toString('latin1', at, at + 4) === 'cmap') ?? 0) + 8)
  for (let at = 0; at < face.readUInt16BE(cmap + 2); at += 1) {
    const table = cmap + face.readUInt32BE(cmap + 8 + 8 * at)
    if (face.readUInt16BE(table) !== 4) continue
    const segments = face.readUInt16BE(table + 6) / 2
    for (let segment = 0; segment < segments; segment += 1) {
      const [last, first] = [table + 14 + 2 * segment, table + 16 + 2 * (segments + segment)]
      for (let code = face.readUInt16BE(first); code <= face.readUInt16BE(last); code += 1) letters.add(code)
    }
  }
  letters.delete(0xffff)
  return letters
}

test('a long name is broken into lines, and what XML forbids cannot break out', () => {
  const title = 'A very long name of a service that no ticket has the room for, <whatever> anybody says & does'
  const svg = drawCard({ ...CARD, title }, null)
  expect(svg).toContain('&lt;whatever&gt;')
  expect(svg.match(/<tspan/g)?.length).toBeGreaterThan(2)
  expect(svg).not.toContain('<whatever>')
})
