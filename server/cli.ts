import { speedUpImports } from './programs/boot/process/speed-up-imports.ts'

speedUpImports()

// A program such as `| head` may close the pipe. Later output is dropped, but a begun change is completed.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { runCli } = await import('./programs/cli/run-cli.ts')
process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
