import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '#test/harness/random-runs.ts'
import { renderMessage } from './render-message.ts'

test('Markdown becomes the few elements that it is made of', () => {
  expect(renderMessage('Hi **you**\nand _me_, ~~not~~ `x<y`')).toBe(
    '<p>Hi <strong>you</strong><br>and <em>me</em>, <del>not</del> <code>x&lt;y</code></p>',
  )
  expect(renderMessage('## Title\n\n3. a\n4. b\n\n> q\n\n---\n\n```html\n<b>\n```')).toBe(
    '<p><strong>Title</strong></p><ol start="3"><li>a</li><li>b</li></ol><blockquote><p>q</p></blockquote><hr>' +
      '<pre tabindex="0"><code>&lt;b&gt;</code></pre>',
  )
  expect(renderMessage('see https://a.example/x?y=1&z=2. And [here](/rent "t")')).toBe(
    '<p>see <a href="https://a.example/x?y=1&amp;z=2" rel="nofollow noopener ugc">https://a.example/x?y=1&amp;z=2</a>.' +
      ' And <a href="/rent">here</a></p>',
  )
})

// Finding A-3: a stranger's link showed staff an address of ours but led elsewhere.
test('A-3: a link to elsewhere shows its host behind words that are not its own address', () => {
  const end = ' rel="nofollow noopener ugc">'
  const shown: [body: string, words: string][] = [
    ['[http://localhost:3000/staff/tickets/1001](https://evil.test/login)', '$</a> (evil.test)'],
    ['[**here**](https://EVIL.test:8443/a)', '$</a> (evil.test:8443)'],
    ['![a picture](https://evil.test/p.png)', '$</a> (evil.test)'],
    ['[https://ours.test](https://ours.test@evil.test/)', '$</a> (evil.test)'],
    ['https://ours.test@evil.test/login', '$</a> (evil.test)'],
    ['https://оurs.test/login', '$</a> (xn--urs-red.test)'],
    ['[write us](mailto:thief@evil.test?subject=x)', '$</a> (thief@evil.test)'],
    ['https://ours.test/a', '$</a>'],
    ['[ours.test](https://ours.test/a)', '$</a>'],
    ['[me@ours.test](mailto:me@ours.test)', '$</a>'],
  ]
  for (const [body, words] of shown) {
    const html = renderMessage(body)
    expect(html).toContain(end)
    expect([body, html.slice(html.indexOf('</a>'), -'</p>'.length)]).toEqual([body, words.slice(1)])
  }
  expect(renderMessage('\u202e[a](https://evil.test/)')).toBe(
    `<p><a href="https://evil.test/"${end}a</a> (evil.test)</p>`,
  )
})

test('an address with a control character, a space or a backslash is no link', () => {
  for (const address of [
    '/\t/evil.example',
    '/\t\\evil.example',
    '/a b',
    '/\u00a0/b',
    'https://a.example\\b.example',
    '/\u0001/b',
  ]) {
    expect(renderMessage(`[orders](<${address}>) ![x](<${address}>)`), JSON.stringify(address)).not.toContain('<a ')
  }
  expect(renderMessage('[orders](/a//b)')).toContain('<a href="/a//b">')
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'a <b onclick=alert(1)>b</b>',
  '<svg/onload=alert(1)>',
  '<!-- --><iframe src=javascript:alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](vbscript:x)',
  '[x](<javascript:alert(1)>)',
  '![x](https://evil.example/p.png)',
  '![x](x"onerror="alert(1))',
  '[x](https://a.example/"onmouseover="alert(1))',
  'https://a.example/"onmouseover="alert(1)',
  "https://a.example/'x'<script>",
  '<https://a.example/><javascript:alert(1)>',
  '[a]: javascript:alert(1)\n\n[a]',
  '`</code><script>alert(1)</script>`',
  '```"><script>\n</code></pre><script>alert(1)</script>\n```',
  '| <script> |\n|---|\n| <img onerror=x> |',
  '<a href="https://a.example">[b](https://c.example)</a>',
]
const TAG =
  /<(\/?)(p|strong|em|del|code|blockquote|ul|ol|li|pre|a)(?: (?:start="\d{1,9}"|tabindex="0"|href="(?:https?:\/\/|mailto:|\/(?![/\\]))[^"<>]*"(?: rel="nofollow noopener ugc")?))?>|<(?:br|hr)>/gi

function expectHarmless(body: string): void {
  const html = renderMessage(body)
  expect(html.replaceAll(TAG, ''), body).not.toMatch(/[<>"']/)
  const open: string[] = []
  for (const [, end, name] of html.matchAll(TAG)) {
    if (name === undefined) continue
    if (end === '/') expect(open.pop(), body).toBe(name)
    else {
      if (name === 'a') expect(open, body).not.toContain('a')
      open.push(name)
    }
  }
  expect(open, body).toEqual([])
}

test('1.9: HTML of a stranger is text, and a link leads to the web, a mailbox or a path of ours', () => {
  for (const body of HOSTILE) expectHarmless(body)
  expect(renderMessage('![a picture](https://evil.example/p.png)')).not.toContain('<img')
})

test('whatever is put together of such pieces is harmless too', () => {
  const piece = fc.constantFrom(
    ...HOSTILE,
    '\n',
    '\n\n',
    '> ',
    '- ',
    '*',
    '**',
    '_',
    '`',
    '[',
    '](',
    ')',
    '\\',
    '&lt;',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => expectHarmless(pieces.join(''))),
    { numRuns: randomRuns({ suite: 100, soak: 20_000 }) },
  )
})

test('what would cost the parser much shows as it was written', () => {
  for (const body of ['>'.repeat(10_000), '[a]('.repeat(2_500), '- '.repeat(5_000), '*a'.repeat(5_000)]) {
    expect(renderMessage(body)).toBe(`<p>${body.replaceAll('>', '&gt;')}</p>`)
  }
  const stairs = Array.from({ length: 30 }, (_, level) => `${' '.repeat(level * 2)}- a`).join('\n')
  expect(renderMessage(stairs)).not.toContain('<ul>')
})
