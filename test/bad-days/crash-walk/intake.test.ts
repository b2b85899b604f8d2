import { defineWalks } from './define-walks.ts'
import { intakeWalks } from './intake-walks.ts'

defineWalks({
  walks: intakeWalks,
  statements: ['numbers/intake/queries'],
  elsewhere: {
    'numbers/intake/queries/requests.ts insertRefusedRequest intake-request-refused': 'a trace, which nothing reads',
  },
})
