import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorFrame, establishedFrame, eventFrame, parseFrame } from '#server/house/realtime/protocol.ts'

test('frames are written as the protocol has them', () => {
  expect(establishedFrame('12.34', 120_000)).toBe(
    '{"event":"pusher:connection_established","data":"{\\"socket_id\\":\\"12.34\\",\\"activity_timeout\\":120}"}',
  )
  expect(errorFrame(4009, 'no')).toBe('{"event":"pusher:error","data":{"code":4009,"message":"no"}}')
  expect(eventFrame({ channel: 'private-user.7', name: 'X', payload: { text: 'Ваш код 🔑 "1"' } })).toBe(
    '{"event":"X","data":"{\\"text\\":\\"Ваш код 🔑 \\\\\\"1\\\\\\"\\"}","channel":"private-user.7"}',
  )
})

test.each([
  ['{"event":"pusher:ping","data":{}}', { kind: 'ping' }],
  ['{"event":"pusher:ping"}', { kind: 'ping' }],
  ['{"event":"pusher:pong","data":"{}"}', { kind: 'pong' }],
  [
    '{"event":"pusher:subscribe","data":{"channel":"private-user.7","auth":"a:b"}}',
    { kind: 'subscribe', channel: 'private-user.7', auth: 'a:b', channelData: undefined },
  ],
  [
    '{"event":"pusher:subscribe","data":"{\\"channel\\":\\"private-user.7\\",\\"auth\\":\\"a:b\\",\\"channel_data\\":\\"{}\\"}"}',
    { kind: 'subscribe', channel: 'private-user.7', auth: 'a:b', channelData: '{}' },
  ],
  [
    '{"event":"pusher:subscribe","data":{"channel":"news","channel_data":null}}',
    { kind: 'subscribe', channel: 'news', auth: '', channelData: undefined },
  ],
  [
    '{"event":"pusher:unsubscribe","data":{"channel":"private-user.7"}}',
    { kind: 'unsubscribe', channel: 'private-user.7' },
  ],
  ['{"event":"pusher:signin","data":{"auth":"a:b","user_data":"{}"}}', { kind: 'signin', auth: 'a:b', userData: '{}' }],
  ['{"event":"client-typing","channel":"private-user.7","data":{}}', { kind: 'client-event' }],
])('understands %s', (text, frame) => {
  expect(parseFrame(text)).toEqual(frame)
})

test.each([
  ['', 'The frame is not a JSON object'],
  ['hello', 'The frame is not a JSON object'],
  ['null', 'The frame is not a JSON object'],
  ['[]', 'The frame is not a JSON object'],
  ['{}', 'The frame has no event name'],
  ['{"event":7}', 'The frame has no event name'],
  ['{"event":"pusher:subscribe"}', 'The data of the frame is not an object'],
  ['{"event":"pusher:subscribe","data":"[]"}', 'The data of the frame is not an object'],
  ['{"event":"pusher:subscribe","data":"{"}', 'The data of the frame is not an object'],
  ['{"event":"pusher:subscribe","data":{}}', 'Invalid channel name'],
  ['{"event":"pusher:subscribe","data":{"channel":"a b"}}', 'Invalid channel name'],
  [`{"event":"pusher:subscribe","data":{"channel":"${'a'.repeat(165)}"}}`, 'Invalid channel name'],
  ['{"event":"pusher:subscribe","data":{"channel":"a","auth":1}}', 'Invalid auth'],
  [`{"event":"pusher:subscribe","data":{"channel":"a","auth":"${'a'.repeat(257)}"}}`, 'Invalid auth'],
  ['{"event":"pusher:subscribe","data":{"channel":"a","channel_data":{}}}', 'Invalid channel_data'],
  ['{"event":"pusher:unsubscribe","data":{}}', 'Invalid channel name'],
  ['{"event":"pusher:signin","data":{"user_data":"{}"}}', 'Invalid auth'],
  ['{"event":"pusher:signin","data":{"auth":"a:b","user_data":{}}}', 'Invalid user_data'],
  ['{"event":"pusher:unknown","data":{}}', 'Unknown event'],
])('refuses %s', (text, message) => {
  expect(parseFrame(text)).toEqual({ kind: 'bad', message })
})

test('no text makes the parser throw', () => {
  const frames = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ event: fc.string(), data: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  )
  fc.assert(fc.property(frames, (text) => typeof parseFrame(text).kind === 'string'))
})
