import { expect, test } from 'vitest'
import { toScriptJson } from './page-data.ts'

test('page data cannot end its script element, nor begin a comment in it', () => {
  const value = { text: '</script><!--<script>alert(1)</script>\u2028\u2029 & "quoted"' }
  const text = toScriptJson(value)
  expect(text).not.toMatch(/[<\u2028\u2029]/)
  expect(JSON.parse(text)).toEqual(value)
})
