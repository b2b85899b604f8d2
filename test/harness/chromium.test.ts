import { access, constants } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findChromium } from './chromium.ts'

test.runIf(process.platform === 'linux')('a machine without a browser has the packaged one', async () => {
  const path = await findChromium({ PATH: '' })
  expect(path).toMatch(/node_modules\/\.cache\/ringpost\/chromium-\d+\.\d+\.\d+\/chromium$/)
  await access(path, constants.X_OK)
})
