import { expect, test } from 'vitest'
import { flawsOf, hostUrls } from './host-urls.ts'

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

const ESCAPE = 'escape / ? # @ in the password'

test.each([
  ['postgres://ringpost:Secret/word@a:5432/ringpost', [`must have HOST or HOST:PORT as host 1; ${ESCAPE}`]],
  ['postgres://ringpost:12/word@a:5432/ringpost', [`cannot be read: ${ESCAPE}`]],
  ['postgres://ringpost:Secret/word@a,b/ringpost', [`must have HOST or HOST:PORT as host 1; ${ESCAPE}`]],
  ['postgres://ringpost:Secret#word@a:5432/ringpost', [`cannot be read: ${ESCAPE}`]],
  ['postgres://ringpost:12#word@a:5432,b/ringpost', [`cannot be read: ${ESCAPE}`]],
  [
    'postgres://ringpost:Secret?word@a:5432/ringpost',
    [`must have HOST or HOST:PORT as host 1; ${ESCAPE}`, 'names no database: end it with /ringpost'],
  ],
  ['postgres://ringpost:Secret@word@a:5432/ringpost', []],
  ['postgres://ringpost@/ringpost?host=/run/postgresql', []],
  ['postgres://a/ringpost?target_session_attrs=primary', []],
])('an unescaped password is told of without a part of it: %s', (address, flaws) => {
  expect(flawsOf(address)).toEqual(flaws)
})

test('the address of a stand-by asks for no session that writes', () => {
  expect(flawsOf('postgres://a,b/ringpost?target_session_attrs=standby', 'stand-by')).toEqual([])
  expect(flawsOf('postgres://a/ringpost?target_session_attrs=primary', 'stand-by')).toEqual([
    'must have target_session_attrs=standby, or leave it out: the service only reads there',
  ])
})
