import { readDemoKey } from '#server/programs/demo/fill-demo.ts'
import { type Command, CommandRefused } from './command.ts'

/** Prints the demo's API key, which guards play money only. No other stored secret is ever printed. */
export const showDemoKey: Command = {
  name: 'demo:key',
  summary: "print the API key of the demo's buyer",
  database: 'none',
  async run({ config, tell }) {
    const key = await readDemoKey(config.dataDir)
    if (key === null)
      throw new CommandRefused(`There is no demo in ${config.dataDir}: start it once with \`npm start\``)
    tell({ apiKey: key }, key)
    return 0
  },
}
