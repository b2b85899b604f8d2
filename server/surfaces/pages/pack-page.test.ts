import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bodyOf, type FreshPage, packPage } from './pack-page.ts'

const page = (body: string): FreshPage => ({
  status: 200,
  contentType: 'text/html',
  body,
  keep: true,
  location: null,
})

test('a page is packed in both encodings, and unpacked for who takes neither', async () => {
  const packed = await packPage(page('page 1'))
  expect(brotliDecompressSync(packed.bodies.br).toString()).toBe('page 1')
  expect(gunzipSync(packed.bodies.gzip).toString()).toBe('page 1')
  expect((await bodyOf(packed, 'identity')).toString()).toBe('page 1')
})

test('the etag tells pages apart and not encodings', async () => {
  const [one, same, other] = await Promise.all([packPage(page('x')), packPage(page('x')), packPage(page('y'))])
  expect(one.etag).toBe(same.etag)
  expect(one.etag).not.toBe(other.etag)
})
