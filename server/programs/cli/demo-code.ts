import { generate } from 'otplib'
import { demoTotpSecret } from '#server/programs/demo/fill-demo.ts'
import type { Command } from './command.ts'

export const showDemoCode: Command = {
  name: 'demo:code',
  summary: "print the sign-in code of the demo's staff, as an authenticator app would show it now",
  database: 'none',
  async run({ clock, tell }) {
    const code = await generate({ secret: demoTotpSecret, epoch: Math.floor(clock.wall().getTime() / 1000) })
    tell({ code }, code)
    return 0
  },
}
