import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { FileReply } from '#contract/support/support.ts'
import { FILE_MAX_BYTES } from '#contract/support/support-constants.ts'
import { DAY, MEBIBYTE } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { later } from '#test/builders/rental-rows.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { answerTicket } from '../answer.ts'
import { encodePicture, refusalOf } from './encode-picture.ts'

const OPEN = 'POST /api/v1/support/tickets'
const REPLY = 'POST /api/v1/support/tickets/{id}/messages'
const WISH = { category: 'other', subject: 'A picture', text: 'See below' } as const
const PDF = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

function upload(t: TestApp, user: TestUser, file: { name?: string; type?: string; content: Buffer | string }) {
  const { name = 'screen.png', type = 'image/png', content } = file
  const headers = { 'content-type': type, 'file-name': encodeURIComponent(name), locale: 'en' }
  return t.fetch('/api/v1/support/files', {
    method: 'POST',
    token: user.token,
    headers,
    body: new Uint8Array(Buffer.from(content)),
  })
}

async function uploaded(t: TestApp, user: TestUser, file: Parameters<typeof upload>[2]): Promise<FileReply['data']> {
  const response = await upload(t, user, file)
  expect(response.status).toBe(201)
  return ((await response.json()) as FileReply).data
}

async function refusal(response: Response): Promise<{ status: number; code: string; message: string }> {
  const { code, message } = (await response.json()) as { code: string; message: string }
  return { status: response.status, code, message }
}

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 20 } } })

test('a picture is encoded anew without what it said of its maker, goes with a message, and only those of the ticket see it', async () => {
  await using t = await startTestApp()
  const [buyer, staff, stranger] = [await t.makeUser(), await t.makeUser(), await t.makeUser()]
  const withPlace = await picture()
    .withExif({ IFD0: { Artist: 'a secret person', Copyright: 'x' }, IFD3: { GPSLatitude: '55/1 45/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await sharp(withPlace).metadata()).exif?.toString('latin1')).toContain('secret')
  const smuggled = Buffer.concat([withPlace, Buffer.from('<script>alert(1)</script>')])
  const file = await uploaded(t, buyer, { name: '../../дом\u202egpj.jpg', content: smuggled })
  expect(file).toMatchObject({ name: 'домgpj.jpg', type: 'image/jpeg', width: 30, height: 40 })
  const { data } = await call(t, OPEN, { ...WISH, files: [file.id] }, { token: buyer.token })
  expect(data.messages).toMatchObject([{ files: [file] }])

  const seen = await t.fetch(`/api/v1/support/files/${file.id}`, { token: buyer.token })
  expect(Object.fromEntries(seen.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  })
  const content = Buffer.from(await seen.arrayBuffer())
  expect(content.length).toBe(file.bytes)
  const { exif, xmp, orientation } = await sharp(content).metadata()
  expect({ exif, xmp, orientation }).toEqual({})
  expect(content.toString('latin1')).not.toMatch(/secret|script/)

  const pdf = await uploaded(t, staff, { name: 'answer.PDF', type: 'application/pdf', content: PDF })
  const hidden = await uploaded(t, staff, { name: 'hidden.pdf', type: 'application/pdf', content: PDF })
  const input = { ticketId: BigInt(data.id), staffId: staff.id, text: 'x', idempotencyKey: undefined }
  await answerTicket(t.ctx, { ...input, kind: 'note', files: [hidden.id] })
  await answerTicket(t.ctx, { ...input, kind: 'staff', files: [pdf.id] })
  const saved = await t.fetch(`/api/v1/support/files/${pdf.id}`, { token: buyer.token })
  expect(saved.headers.get('content-disposition')).toBe(
    `attachment; filename="answer.pdf"; filename*=UTF-8''answer.pdf`,
  )
  for (const [id, who] of [
    [hidden.id, buyer],
    [file.id, stranger],
    [pdf.id, stranger],
    [99_999, buyer],
    ['x', buyer],
  ] as const) {
    expect((await t.fetch(`/api/v1/support/files/${id}`, { token: who.token })).status).toBe(404)
  }
  expect((await t.fetch(`/api/v1/support/files/${file.id}`)).status).toBe(401)
  expect((await t.fetch(`/api/v1/support/files/${file.id}`, { token: await t.makeApiKey(buyer) })).status).toBe(403)
  const loose = await uploaded(t, stranger, { content: await picture().png().toBuffer() })
  for (const files of [[file.id], [loose.id]]) {
    expect(
      (await refused(t, REPLY, { id: data.id, text: 'x', files }, { token: buyer.token })).body.errors,
    ).toHaveProperty('files')
  }
  const wanted = await uploaded(t, buyer, { content: await picture().png().toBuffer() })
  const both = [1, 2].map((part) =>
    send(t, REPLY, { id: data.id, text: `part ${part}`, files: [wanted.id] }, { token: buyer.token }),
  )
  expect((await Promise.all(both)).map(({ response }) => response.status).sort()).toEqual([201, 422])
  expect(await count(t.ctx, 'support_messages')).toBe(4)
})

test('files that lie, break or explode are refused by name, and nothing of them is kept', async () => {
  await using t = await startTestApp()
  const png = await picture().png().toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const bad = [
    ['a.svg', 'image/svg+xml', svg],
    ['a.png', 'image/png', svg],
    ['b.png', 'image/png', '<!doctype html><script>alert(1)</script>'],
    ['c.gif', 'image/gif', 'GIF89a'],
    ['d.png', 'image/svg+xml', png],
    ['e.pdf', 'application/pdf', png],
    ['f.png', 'image/png', PDF],
    ['g.html', 'text/html', png],
    ['h.pdf', 'application/pdf', '%PDF-1.7 without an end'],
    ['i.png', 'image/png', png.subarray(0, 60)],
    ['j.png', 'image/png', bomb(30_000, 30_000)],
    ['k.png', 'image/png', ''],
  ] as const
  const person = await t.makeUser()
  for (const [name, type, content] of bad) {
    const answer = await refusal(await upload(t, person, { name, type, content: Buffer.from(content) }))
    expect({ name, ...answer }).toMatchObject({
      name,
      status: 422,
      code: 'BAD_FILE',
      message: expect.stringContaining(`“${name}”`),
    })
  }
  const huge = await refusal(await upload(t, person, { name: 'l.png', content: Buffer.alloc(FILE_MAX_BYTES + 1) }))
  expect(huge).toMatchObject({ status: 422, code: 'BAD_FILE', message: expect.stringContaining('“l.png”') })
  expect((await refusal(await upload(t, { ...person, token: '' }, { content: png }))).code).toBe('UNAUTHENTICATED')
  const tries = [
    await upload(t, person, { content: png }),
    await upload(t, person, { content: png }),
    await upload(t, person, { content: png }),
  ]
  expect(tries.map(({ status }) => status)).toEqual([201, 201, 429])
  expect(await count(t.ctx, 'support_files')).toBe(2)
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

// Finding A-1: each row costs the decoder time, so one column of forty million pixels took ten seconds.
test('A-1: a picture of too many rows is never decoded, and one whose time was up is not called damaged', async () => {
  const column = { name: 'column.png', type: 'image/png', content: bomb(1, 39_999_999) } as const
  await expect(encodePicture(column)).rejects.toMatchObject({
    words: { en: '“column.png” is too wide or too tall. The limit is 20,000 pixels a side.' },
  })
  const told = (failure: string) => refusalOf('slow.png', new Error(failure)).words.en
  expect(told('timeout: 12% complete\nvips2png: unable to write')).toContain('took too long')
  expect(told('pngload_buffer: end of stream')).toContain('damaged')
})

test('fifty megabytes a day, twenty files a ticket, one upload of a person at once; loose files go after a day', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const big = Buffer.concat([PDF, Buffer.alloc(4.9 * MEBIBYTE), PDF])
  const sendBig = () => upload(t, buyer, { name: 'big.pdf', type: 'application/pdf', content: big })
  const statuses: number[] = []
  const ids: number[] = []
  for (let sent = 0; sent < 11; sent += 1) {
    const response = await sendBig()
    statuses.push(response.status)
    if (response.ok) ids.push(((await response.json()) as FileReply).data.id)
    else expect((await refusal(response)).code).toBe('TOO_MANY_FILES')
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409])
  const options = { token: buyer.token }
  const five = await refused(t, OPEN, { ...WISH, files: ids.slice(0, 5) }, options)
  expect(five.body.code).toBe('TOO_MANY_FILES')
  const { data } = await call(t, OPEN, { ...WISH, files: ids.slice(0, 4) }, options)
  expect((await refused(t, REPLY, { id: data.id, text: 'x', files: ids.slice(4, 5) }, options)).body.code).toBe(
    'TOO_MANY_FILES',
  )
  const tooMany = { id: data.id, text: 'x', files: Array.from({ length: 11 }, (_, at) => at + 1) }
  expect((await refused(t, REPLY, tooMany, options)).body.errors).toHaveProperty('files')
  await later(t, buyer, DAY + 1)
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>()
  const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
  const slow = t.fetch('/api/v1/support/files', {
    method: 'POST',
    token: buyer.token,
    headers: { 'content-type': 'application/pdf' },
    duplex: 'half' as const,
    body: new ReadableStream({
      async start(controller) {
        controller.enqueue(new Uint8Array(PDF.subarray(0, 20)))
        hasBegun()
        await rest
        controller.enqueue(new Uint8Array(PDF.subarray(20)))
        controller.close()
      },
    }),
  })
  await begun
  await expect.poll(async () => (await upload(t, buyer, { content: '' })).headers.get('retry-after')).toBe('2')
  sendRest()
  expect((await slow).status).toBe(201)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'support_files')).toBe(5)
})

function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((width / 8 + 1) * 1_000))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
