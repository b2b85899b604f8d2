import { content } from '#contract/calls/content-calls.ts'
import { type Call, route } from '#server/house/http/call.ts'
import { showFacts } from './show-facts.ts'

export const factsCalls: Call[] = [route(content.facts, showFacts)]
