import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { listenOnLoopback } from './loopback-server.ts'

/** A push message as the page's browser would show it, with the parts that the push service can see. */
export type Pushed = { content: unknown; ttl: number; urgency: string | undefined; raw: Buffer }

/** Starts a push service that checks senders (RFC 8292), with a browser that decrypts (RFC 8291, RFC 8188). */
export async function startPushService() {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const pushed: Pushed[] = []
  const faults: string[] = []
  let answer: number | null = 201
  let asked = 0
  let key = ''
  const server = await listenOnLoopback((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      asked += 1
      if (answer === null) return request.socket.destroy()
      response.statusCode = answer
      response.end()
      if (answer !== 201) return
      try {
        const { authorization = '', ttl, urgency, host } = request.headers
        checkSender(authorization, { audience: `http://${host}`, key })
        if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm')
        const raw = Buffer.concat(parts)
        const content: unknown = JSON.parse(decrypt(raw, { curve, auth }).toString())
        pushed.push({ content, ttl: Number(ttl), urgency: [urgency].flat()[0], raw })
      } catch (error) {
        faults.push(String(error))
      }
    })
  })
  return {
    url: server.url,
    pushed,
    faults,
    subscribe(publicKey: string, name = 'one') {
      key = publicKey
      const p256dh = curve.getPublicKey('base64url')
      return { endpoint: `${server.url}/push/${name}`, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    answerWith(status: number) {
      answer = status
    },
    /** Cuts each connection without an answer, until `answerWith` is called. */
    hangUp() {
      answer = null
    },
    asked: () => asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function checkSender(authorization: string, wanted: { audience: string; key: string }): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== wanted.key) throw new Error('another key than the one that was subscribed to')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is wrong')
  }
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const lifetime = Number(exp) - Date.now() / 1000
  if (aud !== wanted.audience) throw new Error(`for ${String(aud)}`)
  if (!(lifetime > 0 && lifetime <= 86_400)) throw new Error(`good for ${lifetime} s`)
  if (!/^mailto:.+@.+/.test(String(sub))) throw new Error(`from ${String(sub)}`)
}

function decrypt(raw: Buffer, browser: { curve: ReturnType<typeof createECDH>; auth: Buffer }): Buffer {
  const salt = raw.subarray(0, 16)
  const sender = raw.subarray(21, 21 + (raw[20] ?? 0))
  const sealed = raw.subarray(21 + sender.length)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.curve.getPublicKey(), sender])
  const derive = (ikm: Buffer, withSalt: Buffer, about: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, withSalt, about, length))
  const ikm = derive(browser.curve.computeSecret(sender), browser.auth, info, 32)
  const key = derive(ikm, salt, 'Content-Encoding: aes128gcm\0', 16)
  const decipher = createDecipheriv('aes-128-gcm', key, derive(ikm, salt, 'Content-Encoding: nonce\0', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2))
}
