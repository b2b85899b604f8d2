import { quickenModules } from './programs/boot/process/quicken-modules.ts'

quickenModules()
const { runService } = await import('./programs/boot/process/serve.ts')
await runService()
