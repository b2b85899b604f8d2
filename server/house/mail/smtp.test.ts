import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { type Letter, MailDelayed, MailRefused, openSmtp } from '#server/house/mail/smtp.ts'
import { CERTIFICATE } from '#test/fakes/loopback-certificate.ts'
import { startMailServer } from '#test/fakes/mail-server.ts'

const letter: Letter = {
  messageId: '<one@numbers.example>',
  from: 'Ringpost <no-reply@numbers.example>',
  to: 'anna@example.org',
  sentAt: new Date('2026-01-31T23:05:00Z'),
  subject: '048213 — код Ringpost',
  text: 'Ваш код: 048213',
  html: '<p>Ваш код: <b>048213</b></p>',
}

test('a letter goes out over STARTTLS, signed in, with both its parts', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  await smtp.send(letter)
  const [got] = server.received
  expect(got).toMatchObject({ from: 'no-reply@numbers.example', to: ['anna@example.org'], secure: true })
  expect(got?.mail).toMatchObject({
    messageId: '<one@numbers.example>',
    subject: '048213 — код Ringpost',
    from: { value: [{ name: 'Ringpost', address: 'no-reply@numbers.example' }] },
    to: { value: [{ name: '', address: 'anna@example.org' }] },
    date: letter.sentAt,
    html: letter.html,
  })
  expect(got?.mail.text?.trim()).toBe(letter.text)
  expect(got?.mail.headers.get('auto-submitted')).toBe('auto-generated')
  expect(got?.raw).toMatch(/^Content-Type: multipart\/alternative/im)
  expect(got?.raw.match(/^Content-Type: text\/(?:plain|html); charset=utf-8/gim)).toHaveLength(2)
})

test('one connection carries many letters', async () => {
  const connections = new Set<string>()
  await using server = await startMailServer({
    onMailFrom: (_address, session, done) => {
      connections.add(session.id)
      done()
    },
  })
  await using smtp = await openSmtp(server.url())
  for (let turn = 0; turn < 5; turn += 1) await smtp.send(letter)
  expect(server.received).toHaveLength(5)
  expect(connections.size).toBe(1)
})

test('a certificate nobody signed is not believed', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url(''))
  await expect(smtp.send(letter)).rejects.toThrow(/certificate/)
  await expect(smtp.send(letter)).rejects.toBeInstanceOf(MailDelayed)
  expect(server.passwords).toEqual([])
})

test('one that is known is', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url(`tls.ca=${encodeURIComponent(CERTIFICATE)}`))
  await smtp.send(letter)
  expect(server.received).toMatchObject([{ secure: true }])
})

test('TLS from the start', async () => {
  await using server = await startMailServer({ secure: true })
  await using smtp = await openSmtp(server.url().replace('smtp://', 'smtps://'))
  await smtp.send(letter)
  expect(server.received).toMatchObject([{ secure: true }])
})

// Regression test for S-18: a mail server without a password needed no TLS, so codes were sent unencrypted.
test('a server without TLS gets mail on this machine alone, elsewhere neither password nor letters', async () => {
  await using server = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
  await using local = await openSmtp(server.url())
  await local.send(letter)
  expect(server.received).toMatchObject([{ secure: false }])
  expect(server.passwords).toHaveLength(1)
  await using distant = await openSmtp(server.url().replace('127.0.0.1', '0.0.0.0'))
  await expect(distant.send(letter)).rejects.toBeInstanceOf(MailDelayed)
  expect(server.passwords).toHaveLength(1)
  const nameless = new URL(server.url().replace('127.0.0.1', '0.0.0.0'))
  nameless.username = nameless.password = ''
  await using withoutPassword = await openSmtp(nameless.href)
  await expect(withoutPassword.send(letter)).rejects.toBeInstanceOf(MailDelayed)
  expect(server.received).toHaveLength(1)
  await using decided = await openSmtp(`${server.url().replace('127.0.0.1', '0.0.0.0')}&requireTLS=false`)
  await decided.send(letter)
  expect(server.received).toHaveLength(2)
})

test('what the server says of the recipient decides; what it says of us does not', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  const sendTo = (to: string) =>
    smtp.send({ ...letter, to }).then(
      () => 'sent',
      (error: Error) => error,
    )
  for (const [answer, expected] of [
    ['550 5.1.1 <x@example.org> no such user', new MailRefused('550 5.1.1')],
    ['552 mailbox full for ever', new MailRefused('552')],
    [
      '451 4.7.1 x@example.org greylisted',
      new MailDelayed('the mail server does not take a mail now: 451 4.7.1, after RCPT TO'),
    ],
    ['530 5.7.0 sign in first', new MailDelayed('the mail server does not take a mail now: 530 5.7.0, after RCPT TO')],
  ] as const) {
    server.answers.set('x@example.org', answer)
    const thrown = await sendTo('x@example.org')
    expect(thrown).toEqual(expected)
    expect(thrown).toBeInstanceOf(expected.constructor)
    expect(String(thrown)).not.toContain('example.org')
  }
  server.afterData = '554 5.7.1 looks like spam'
  expect(await sendTo('anna@example.org')).toEqual(new MailRefused('554 5.7.1'))
  server.afterData = '452 4.3.1 disk full'
  expect(await sendTo('anna@example.org')).toBeInstanceOf(MailDelayed)
  server.afterData = null
  expect(await sendTo('anna@example.org')).toBe('sent')
})

test('a refused sender is for the operator to mend', async () => {
  await using server = await startMailServer({
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('5.7.1 not yours'), { responseCode: 550 })),
  })
  await using smtp = await openSmtp(server.url())
  await expect(smtp.send(letter)).rejects.toBeInstanceOf(MailDelayed)
})

test('a wrong password is for the operator to mend, and not told', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url().replace('word', 'xyzzy'))
  const thrown = await smtp.send(letter).then(
    () => null,
    (error: Error) => error,
  )
  expect(thrown).toBeInstanceOf(MailDelayed)
  expect(thrown?.message).toBe('the mail server does not take a mail now: 535 5.7.8, after AUTH PLAIN')
})

test.each([
  'a,b@example.org',
  'anna@example.org,b',
  '<anna@example.org>',
  'anna@example.org>\r\nRCPT TO:<b@example.org',
  'anna@example.org\u0000',
  '"a b"@example.org',
  'anna',
  'a@b@example.org',
  'group:anna@example.org;',
])('%j is not one address, and is never asked for', async (to) => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  await expect(smtp.send({ ...letter, to })).rejects.toEqual(new MailRefused('not an address'))
  expect(server.asked).toEqual([])
})

test('addresses of other alphabets are sent as they are', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  await smtp.send({ ...letter, to: 'анна@пример.рф' })
  expect(server.asked).toEqual(['анна@пример.рф'])
})

test('nobody listening, a host that does not exist', async () => {
  const gone = await startMailServer()
  await gone[Symbol.asyncDispose]()
  await using away = await openSmtp(gone.url())
  await expect(away.send(letter)).rejects.toThrow(/ECONNREFUSED/)
  await expect(away.send(letter)).rejects.toBeInstanceOf(MailDelayed)
  await using nowhere = await openSmtp('smtp://nowhere.invalid')
  await expect(nowhere.send(letter)).rejects.toBeInstanceOf(MailDelayed)
})

test('a connection that the server has closed meanwhile is opened anew', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(server.url())
  await smtp.send(letter)
  await server.hangUp()
  await smtp.send(letter)
  expect(server.received).toHaveLength(2)
})

test('a letter under way is let out at the end, and none after it', async () => {
  await using server = await startMailServer()
  const smtp = await openSmtp(server.url())
  const sent = smtp.send(letter)
  await smtp[Symbol.asyncDispose]()
  await sent
  expect(server.received).toHaveLength(1)
  await expect(smtp.send(letter)).rejects.toBeInstanceOf(MailDelayed)
})

test('a server that hangs does not hold up the end', async () => {
  await using stack = new AsyncDisposableStack()
  const silent = createServer().listen(0, '127.0.0.1')
  stack.defer(() => {
    silent.close()
  })
  await once(silent, 'listening')
  const address = silent.address()
  const smtp = await openSmtp(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  const failed = smtp.send(letter).then(
    () => null,
    (error: unknown) => error,
  )
  const [socket] = await once(silent, 'connection')
  const closed = once(socket.resume(), 'close')
  await smtp[Symbol.asyncDispose]()
  expect(await failed).toBeInstanceOf(MailDelayed)
  await closed
})

test('the address cannot switch on a log of letters', async () => {
  await using server = await startMailServer()
  await using smtp = await openSmtp(`${server.url()}&logger=true&debug=true&transactionLog=true`)
  const written = vi.spyOn(globalThis.console, 'log')
  await smtp.send(letter)
  expect(server.received).toHaveLength(1)
  expect(written).not.toHaveBeenCalled()
})
