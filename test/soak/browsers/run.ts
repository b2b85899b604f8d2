import { startNewDemo } from '#test/e2e/support/demo-process.ts'
import type { Driver } from './driver.ts'
import { openFirefox } from './firefox.ts'
import { JOURNEYS } from './journeys.ts'
import { openWebKit } from './webkit.ts'

const BROWSERS = { firefox: openFirefox, webkit: openWebKit }

const asked = process.argv.slice(2)
await using demo = await startNewDemo({ EARLY_CANCEL_SECONDS: '1' })
let failures = 0
for (const [name, open] of Object.entries(BROWSERS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  await using driver = await open()
  failures += await walkAll(driver)
}
if (failures > 0) process.exitCode = 1

async function walkAll(driver: Driver): Promise<number> {
  let failed = 0
  for (const { name, walk } of JOURNEYS) {
    try {
      await walk(driver, demo.url)
      const complaints = await driver.takeComplaints()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      console.log(`✓ ${driver.name} ${name}`)
    } catch (error) {
      failed += 1
      console.log(`✗ ${driver.name} ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return failed
}
