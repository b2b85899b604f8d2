import { expect, test } from 'vitest'
import { channelString, isSigned, sign, userString } from '#server/house/realtime/channel-auth.ts'

// The worked example of the Pusher protocol's documentation, whose signature every library must produce.
const DOCUMENTED = { appKey: '278d425bdf160c739803', appSecret: '7ad3773142a6692b25b8' }
const DOCUMENTED_AUTH = '278d425bdf160c739803:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4'

test('signs a private channel as the documented example', () => {
  expect(sign(DOCUMENTED, channelString('1234.1234', 'private-foobar'))).toBe(DOCUMENTED_AUTH)
})

test('what is signed names the socket, the channel and its data', () => {
  expect(channelString('1.2', 'private-user.7')).toBe('1.2:private-user.7')
  expect(channelString('1.2', 'private-user.7', '{}')).toBe('1.2:private-user.7:{}')
  expect(userString('1.2', '{"id":"7"}')).toBe('1.2::user::{"id":"7"}')
})

test('a signature is checked with its key', () => {
  const signed = '1234.1234:private-foobar'
  const signature = DOCUMENTED_AUTH.slice(DOCUMENTED_AUTH.indexOf(':') + 1)
  expect(isSigned(DOCUMENTED, signed, DOCUMENTED_AUTH)).toBe(true)
  expect(isSigned(DOCUMENTED, signed, `another:${signature}`)).toBe(false)
  expect(isSigned(DOCUMENTED, signed, `378d425bdf160c739803:${signature}`)).toBe(false)
  expect(isSigned(DOCUMENTED, signed, signature)).toBe(false)
  expect(isSigned(DOCUMENTED, signed, DOCUMENTED_AUTH.toUpperCase())).toBe(false)
  expect(isSigned(DOCUMENTED, signed, '')).toBe(false)
  expect(isSigned(DOCUMENTED, '1234.1235:private-foobar', DOCUMENTED_AUTH)).toBe(false)
})
