import { expect, test } from 'vitest'
import { hostUrls } from './host-urls.ts'

test('several hosts become addresses of one host each, and a single one is not touched', () => {
  expect(hostUrls('postgres://ringpost:p@ss@a:5432,[::1]:5433,%2Frun/ringpost?sslmode=disable')).toEqual([
    'postgres://ringpost:p@ss@a:5432/ringpost?sslmode=disable',
    'postgres://ringpost:p@ss@[::1]:5433/ringpost?sslmode=disable',
    'postgres://ringpost:p@ss@%2Frun/ringpost?sslmode=disable',
  ])
  for (const single of ['postgres://a/ringpost', 'postgres:///ringpost?host=/run']) {
    expect(hostUrls(single)).toEqual([single])
  }
})
