import { speedUpImports } from './programs/boot/process/speed-up-imports.ts'

speedUpImports()
const { runService } = await import('./programs/boot/process/serve.ts')
await runService()
