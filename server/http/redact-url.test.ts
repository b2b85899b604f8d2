import { expect, test } from 'vitest'
import { redactUrl } from './redact-url.ts'

const KEY = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'

test('keys, tokens and one-time codes are replaced, the rest of an address stays', () => {
  const table: [url: string, redacted: string][] = [
    ['/', '/'],
    ['/api/services?search=tg&page=2', '/api/services?search=tg&page=2'],
    [
      `/stubs/handler_api.php?api_key=${KEY}&action=getStatus&id=5`,
      '/stubs/handler_api.php?api_key=***&action=getStatus&id=5',
    ],
    ['/stubs/handler_api.php?action=x&API_KEY=short', '/stubs/handler_api.php?action=x&API_KEY=***'],
    ['/x?api%5Fkey=short&a=1', '/x?api%5Fkey=***&a=1'],
    ['/x?+api_key=short', '/x?+api_key=***'],
    ['/x?api_key=first&api_key=second', '/x?api_key=***&api_key=***'],
    ['/reset-password?token=t0ken', '/reset-password?token=***'],
    ['/auth/google?code=4%2F0&state=s', '/auth/google?code=***&state=***'],
    [`/x?action=getBalance;api_key=${KEY}`, '/x?action=getBalance;api_key=***'],
    [`/x?%zz=${KEY}`, '/x?%zz=***'],
    [`/suppliers/${KEY}/push`, '/suppliers/***/push'],
  ]
  for (const [url, redacted] of table) expect(redactUrl(url)).toBe(redacted)
})
