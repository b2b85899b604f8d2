import { quickenModules } from './boot/process/quicken-modules.ts'

quickenModules()
const { runService } = await import('./boot/process/serve.ts')
await runService()
